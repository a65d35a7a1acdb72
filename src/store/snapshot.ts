// Holds the state database still while its files are copied, without stopping those who write.
import { join } from "node:path";
import type { Snapshot } from "../core/snapshot.ts";
import { FILE, type Store } from "./open.ts";

/** SQLite's own default, in pages. */
const AUTOCHECKPOINT = 1000;

/**
 * Holds the database: until `release` nothing is moved from the log into the main file, so that a copy of the main
 * file followed by one of the log is the database at the moment the second ended (sqlite.org/wal.html).
 */
export function holdStore({ dir, sqlite }: Store): Snapshot {
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return {
    files: [FILE, `${FILE}-wal`].map((name) => ({ name, path: join(dir, name) })),
    release() {
      sqlite.run(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT}`);
      sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}
