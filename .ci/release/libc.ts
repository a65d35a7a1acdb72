// C library of the image: the files of Debian's package that the binary loads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, manifest } from "./manifest.ts";
import { runTool } from "./tools.ts";
import type { Entry } from "./tree.ts";

/** Libraries that the binary names; the resolver of host names is in the first. */
const libraries = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"];

/** Unpacks the package of another or this processor, without running anything of it. @returns the files */
export async function unpackLibc(
  { debian, multiarch, loader }: Architecture,
  { releasedAt, work }: { readonly releasedAt: number; readonly work: string },
): Promise<readonly Entry[]> {
  const archive = join(work, "libc.tar");
  const folder = join(work, "libc");
  // Nothing of it runs, so neither root nor a namespace is needed.
  const options = [
    "--quiet",
    "--mode=chrootless",
    "--variant=extract",
    `--architectures=${debian}`,
    "--include=libc6",
  ];
  await runTool(["mmdebstrap", ...options, manifest.image.suite, archive], { releasedAt });
  await runTool(["mkdir", folder], { releasedAt });
  await runTool(["tar", "-xf", archive, "-C", folder, "--no-same-owner", "--exclude=./dev"], { releasedAt });
  const entryOf = (from: string, path: string, mode: number): Entry => ({
    path,
    mode,
    content: { bytes: readFileSync(join(folder, from)) },
  });
  const lib = `/lib/${multiarch}`;
  return [
    entryOf(join(lib, loader.split("/").at(-1)!), loader, 0o755),
    ...libraries.map((library) => entryOf(join(lib, library), join(lib, library), 0o644)),
    entryOf("/usr/share/doc/libc6/copyright", "/usr/share/doc/libc6/copyright", 0o644),
  ];
}
