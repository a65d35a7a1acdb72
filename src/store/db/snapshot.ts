// Snapshot of the state database for backups; writers go on.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import {
  type Checkpoint,
  isLogEmptied,
  type Snapshot,
  type SnapshotFile,
} from "../../core/formats/snapshot.ts";
import { FILE, type SqliteStore } from "./open.ts";

/** SQLite's own default, in pages. */
const AUTOCHECKPOINT = 1000;

/**
 * A snapshot of every committed write, without space on the disk. The one connection cannot hold a read transaction and
 * write, so checkpoints are off until `release`. If the log was emptied before, the main file alone is the snapshot;
 * otherwise the log, which is not restarted meanwhile, is part of it.
 */
export function holdStore({ dir, sqlite, descriptor }: SqliteStore): Snapshot {
  const files: SnapshotFile[] = [{ name: FILE, descriptor }];
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  let log: number | undefined;
  try {
    if (!emptyLog(sqlite)) {
      log = openSync(join(dir, `${FILE}-wal`), "r");
      files.push({ name: `${FILE}-wal`, descriptor: log });
    }
  } catch (error) {
    sqlite.run(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT}`);
    throw error;
  }
  return {
    files,
    release() {
      if (log !== undefined) closeSync(log);
      sqlite.run(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT}`);
      sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}

/** Checkpoints the log. @returns false where the disk is full, and some of the log remains */
function emptyLog(sqlite: SqliteStore["sqlite"]): boolean {
  try {
    return isLogEmptied(sqlite.query<Checkpoint, []>("PRAGMA wal_checkpoint(PASSIVE)").get()!);
  } catch (error) {
    if (/^SQLITE_(FULL|IOERR)/.test((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}
