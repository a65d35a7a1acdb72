// Snapshots of bucket files for backups; writers are not blocked.
import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { type Checkpoint, isLogEmptied, type Snapshot, type SnapshotFile } from "../core/formats/snapshot.ts";
import { borrowDescriptor } from "./descriptors.ts";
import { openReader, runGuarded } from "./file.ts";
import { listJournals } from "./head/journal.ts";

/**
 * Takes a snapshot of a file of the data directory with every committed write. It needs no disk space and stays valid until it is released.
 * @returns undefined where nothing was ever written
 * @throws TorusError `bucket_unavailable` where the file cannot be used
 */
export function takeSnapshot(file: string, dataDir: string): Snapshot | undefined {
  const path = join(dataDir, file);
  const db = runGuarded(() => openReader(path));
  if (!db) return undefined;
  const release: (() => void)[] = [() => db.close()];
  try {
    const needsLog = runGuarded(() => beginReading(db));
    const { descriptor, giveBack } = borrowDescriptor(path);
    release.push(giveBack);
    const files: SnapshotFile[] = [{ name: file, descriptor }];
    if (needsLog) {
      // SQLite holds no locks on the log, so this descriptor may be closed.
      const log = openSync(`${path}-wal`, "r");
      release.push(() => closeSync(log));
      files.push({ name: `${file}-wal`, descriptor: log });
    }
    for (const journal of listJournals(path)) {
      const descriptor = openSync(journal.path, "r");
      release.push(() => closeSync(descriptor));
      const name = `${file}${journal.path.slice(path.length)}`;
      // Later points may be of fields that the snapshot does not know.
      files.push({ name, descriptor, size: fstatSync(descriptor).size });
    }
    return { files, release: () => releaseAll(release) };
  } catch (error) {
    releaseAll(release);
    throw error;
  }
}

/** Begins a transaction that fixes the state of the file. @returns whether the log belongs to it */
function beginReading(db: Database): boolean {
  const isEmptied = emptyLog(db);
  db.run("BEGIN");
  // A deferred transaction begins with its first read.
  db.query("SELECT count(*) FROM sqlite_schema").get();
  return !isEmptied;
}

/** Moves the log into the main file. @returns false where a reader or a full disk leaves some of it behind */
function emptyLog(db: Database): boolean {
  try {
    return isLogEmptied(db.query<Checkpoint, []>("PRAGMA wal_checkpoint(PASSIVE)").get()!);
  } catch (error) {
    if (/^SQLITE_(FULL|IOERR)/.test((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}

function releaseAll(release: (() => void)[]): void {
  for (const work of release.splice(0).reverse()) work();
}
