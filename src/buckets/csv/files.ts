// Files of a CSV bucket: regular files below the data root, with links resolved.
import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { invalid, TorusError } from "../../core/errors.ts";

export interface CsvFile {
  /** Resolved, without links. */
  readonly path: string;
  /** Name of the file without its endings: the measurement. */
  readonly measurement: string;
}

const MAX_FILES = 10_000;
const endings = /\.(csv|tsv)(\.gz)?$/i;

/**
 * The file, or the files of the folder by name.
 * @param root absent: no file may be read
 * @throws TorusError `bucket_rejected` outside of the root, `bucket_unavailable` for a missing path
 */
export async function listFiles(path: string, root: string | undefined): Promise<CsvFile[]> {
  if (root === undefined)
    throw new TorusError("bucket_rejected", "files cannot be read: set storage.data_root on the server");
  const top = await realpath(root).catch(() => {
    throw new TorusError("bucket_unavailable", "storage.data_root of the server is not there");
  });
  const found = await resolveBelow(top, resolve(top, path));
  if (!(await stat(found)).isDirectory()) return [toFile(found)];
  const names = (await readdir(found)).filter((name) => endings.test(name)).sort();
  if (names.length > MAX_FILES)
    throw new TorusError("bucket_rejected", `the folder holds more than ${MAX_FILES} files`);
  return Promise.all(names.map(async (name) => toFile(await resolveBelow(top, join(found, name)), name)));
}

/**
 * Checks that the path is within the root and a file or a folder; a missing one is fine.
 * @throws TorusError `invalid`
 */
export async function checkPath(path: string, root: string | undefined): Promise<void> {
  if (root === undefined)
    throw invalid("path", "cannot be read: set storage.data_root on the server, and start it again");
  const top = await realpath(root).catch(() => resolve(root));
  const place = resolve(top, path);
  const found = await realpath(place).catch(() => undefined);
  if (!isBelow(top, found ?? place))
    throw invalid("path", "must lead to a file or folder below storage.data_root, not out of it");
  if (found === undefined) return;
  const stats = await stat(found).catch(() => undefined);
  if (stats && !stats.isFile() && !stats.isDirectory())
    throw invalid("path", "must lead to a plain file or a folder: this is neither");
}

function isBelow(top: string, path: string): boolean {
  return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
}

function toFile(path: string, name = basename(path)): CsvFile {
  return { path, measurement: name.replace(endings, "") };
}

/** @throws TorusError for a missing path and for one outside of the root, with the same message */
async function resolveBelow(top: string, path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined && isBelow(top, found)) return found;
  throw new TorusError("bucket_unavailable", "path: there is no such file or folder below storage.data_root");
}

/** Opens a listed file; refuses it if it has become a link or a device since. */
export async function openFile({ path, measurement }: CsvFile): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => {
    throw new TorusError("bucket_unavailable", `file ${measurement} cannot be read`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new TorusError("bucket_rejected", `${measurement} is not a plain file`);
}
