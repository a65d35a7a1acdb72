// Files of deleted buckets, kept by the id of their entry of the bin until they are restored or removed.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { forgetFile, pathOf, removeFiles } from "./file.ts";
import { listJournals } from "./head/journal.ts";

/** Path of the file within the data directory. */
export function binFileOf(id: string): string {
  return `bin/${id}.db`;
}

/** Puts the file of a closed bucket away; where there is none, nothing happens. */
export function putAway(name: string, id: string, dataDir: string): void {
  moveFiles(pathOf(name, dataDir), join(dataDir, binFileOf(id)));
}

/** Puts a file back in its place. @returns whether it is there */
export function putBack(id: string, name: string, dataDir: string): boolean {
  moveFiles(join(dataDir, binFileOf(id)), pathOf(name, dataDir));
  return existsSync(pathOf(name, dataDir));
}

/** Ids of the entries whose files are put away. */
export function listPutAway(dataDir: string): string[] {
  const folder = join(dataDir, "bin");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => file.endsWith(".db")).map((file) => file.slice(0, -".db".length));
}

/** Removes a file that was put away. */
export function removePutAway(id: string, dataDir: string): void {
  removeFiles(join(dataDir, binFileOf(id)));
}

/** Bytes of a bucket's file; 0: there is none. */
export function sizeOfFile(name: string, dataDir: string): number {
  return statSync(pathOf(name, dataDir), { throwIfNoEntry: false })?.size ?? 0;
}

/** The log first: a crash in between leaves both where the next start finds them by the main file. */
function moveFiles(from: string, to: string): void {
  if (!existsSync(from)) return;
  forgetFile(from);
  forgetFile(to);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  for (const journal of listJournals(from))
    renameSync(journal.path, `${to}${journal.path.slice(from.length)}`);
  for (const suffix of ["-wal", "-journal", ""])
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}
