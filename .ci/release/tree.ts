// Files of a package: a list in memory, written to a folder for packaging tools.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file or folder of a package; owned by root unless stated otherwise. */
export interface Entry {
  /** Absolute, without a slash at the end. */
  readonly path: string;
  readonly mode: number;
  readonly content: { readonly bytes: Uint8Array } | { readonly copyOf: string } | "folder";
  /** User and group id in archives. */
  readonly owner?: number;
}

/** What a package or an image is built from. */
export interface PackageInput {
  readonly files: readonly Entry[];
  /** Seconds since the epoch: the time of all files. */
  readonly releasedAt: number;
  /** An empty folder. */
  readonly work: string;
  /** Folder of the results. */
  readonly out: string;
}

export const file = (path: string, text: string | Uint8Array, mode = 0o644): Entry => ({
  path,
  mode,
  content: { bytes: typeof text === "string" ? Buffer.from(text) : text },
});

/** Compressed by gzip, without name and time. */
export const gzipped = (path: string, text: string): Entry => file(path, gzip(Buffer.from(text)));

export function gzip(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, { library: "libdeflate", level: 9 });
}

/** Content of a file; undefined for a folder. */
export function bytesOf({ content }: Entry): Uint8Array | undefined {
  if (content === "folder") return undefined;
  return "bytes" in content ? content.bytes : readFileSync(content.copyOf);
}

/** Writes the entries under a folder, whatever the umask. */
export function stage(entries: readonly Entry[], folder: string): void {
  for (const { path, mode, content } of entries) {
    const target = join(folder, path);
    makeFolder(folder, dirname(path));
    if (content === "folder") makeFolder(folder, path);
    else if ("copyOf" in content) copyFileSync(content.copyOf, target);
    else writeFileSync(target, content.bytes);
    chmodSync(target, mode);
  }
}

/** Makes a folder and those above it with mode 0755. */
function makeFolder(root: string, path: string): void {
  for (const parent of parentsOf(`${path}/`)) {
    mkdirSync(join(root, parent), { recursive: true });
    chmodSync(join(root, parent), 0o755);
  }
}

/** Folders above a path, from the top: `/a` and `/a/b` of `/a/b/c`. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join("/")}`);
}
