// Licence notices at run time: embedded in the compiled program, or collected from the installed packages.
import { collectNotices } from "./notices.ts";

/** Name of the embedded file, compressed by gzip. */
export const NOTICES_FILE = "licenses.txt.gz";

/** Reads the licence texts of everything in the program. */
export async function readNotices(): Promise<string> {
  const files = Bun.embeddedFiles as readonly (Blob & { readonly name: string })[];
  const embedded = files.find(({ name }) => name === NOTICES_FILE);
  if (!embedded) return collectNotices();
  return Buffer.from(Bun.gunzipSync(await embedded.bytes())).toString();
}
