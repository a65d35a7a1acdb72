// Snapshots of a local bucket's file for backups; writers go on.
import type { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { type Checkpoint, isLogEmptied, type Snapshot, type SnapshotFile } from "../core/formats/snapshot.ts";
import { borrowDescriptor } from "./descriptors.ts";
import { nameOf, openReader, pathOf, runGuarded } from "./file.ts";

/**
 * A snapshot of a bucket's file with every write that has returned; undefined where nothing was ever written. It needs
 * no space on the disk, and holds however slowly it is read.
 * @throws TorusError `bucket_unavailable` where the file cannot be used
 */
export function holdFile(name: string, dataDir: string): Snapshot | undefined {
  const path = pathOf(name, dataDir);
  const db = runGuarded(() => openReader(path));
  if (!db) return undefined;
  const release: (() => void)[] = [() => db.close()];
  try {
    const needsLog = runGuarded(() => beginReading(db));
    const { descriptor, giveBack } = borrowDescriptor(path);
    release.push(giveBack);
    const files: SnapshotFile[] = [{ name: nameOf(name), descriptor }];
    if (needsLog) {
      // SQLite holds no locks on a log; this descriptor may be closed.
      const log = openSync(`${path}-wal`, "r");
      release.push(() => closeSync(log));
      files.push({ name: `${nameOf(name)}-wal`, descriptor: log });
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
  // The transaction begins with the first page that is read.
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
