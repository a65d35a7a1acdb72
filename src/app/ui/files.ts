// Files of the dashboard: embedded in the compiled program, or bundled from the sources at the first request.
import type { UiFile, UiFiles } from "../../http/framework/deps.ts";
import { bundleUi, PAGE } from "./bundle.ts";

/** Prefix and ending of embedded files. */
const EMBEDDED = /^ui-(.+)\.gz$/;

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Loads the files once; a failed bundle is tried again at the next request. */
export function createUiFiles(): UiFiles {
  let loading: Promise<ReadonlyMap<string, UiFile>> | undefined;
  const load = () => {
    loading ??= loadFiles().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return { find: async (name) => (await load()).get(name === "" ? PAGE : name) };
}

async function loadFiles(): Promise<ReadonlyMap<string, UiFile>> {
  const embedded = await Promise.all(
    (Bun.embeddedFiles as readonly (Blob & { readonly name: string })[]).flatMap((file) => {
      const [, name] = EMBEDDED.exec(file.name) ?? [];
      return name ? [file.arrayBuffer().then((buffer) => ({ name, bytes: new Uint8Array(buffer) }))] : [];
    }),
  );
  const files = embedded.length > 0 ? embedded : await bundleUi();
  return new Map(files.map(({ name, bytes }) => [name, toFile(name, bytes)]));
}

function toFile(name: string, gzip: Uint8Array<ArrayBuffer>): UiFile {
  return {
    type: types[name.split(".").at(-1)!] ?? "application/octet-stream",
    gzip,
    etag: `"${new Bun.CryptoHasher("sha256").update(gzip).digest("hex").slice(0, 16)}"`,
    isNamedByContent: name !== PAGE,
  };
}
