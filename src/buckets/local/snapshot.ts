// Holds a local bucket's file still while it is copied, without stopping those who write.
import type { Snapshot } from "../../core/snapshot.ts";
import { nameOf, openReader, pathOf, runGuarded } from "./file.ts";

/**
 * Holds a bucket's file; undefined where nothing was ever written. The open transaction keeps the log from being
 * started over, and keeps out of the main file whatever was committed after it began. So a copy of the main file
 * followed by one of the log is a consistent database (sqlite.org/walformat.html, "Locks").
 * @throws TorusError `bucket_unavailable` where the file cannot be used
 */
export function holdFile(name: string, dataDir: string): Snapshot | undefined {
  const path = pathOf(name, dataDir);
  const db = runGuarded(() => openReader(path));
  if (!db) return undefined;
  try {
    runGuarded(() => {
      db.run("BEGIN");
      // The transaction begins with the first page that is read.
      db.query("SELECT count(*) FROM sqlite_schema").get();
    });
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    files: ["", "-wal"].map((suffix) => ({ name: nameOf(name) + suffix, path: path + suffix })),
    release() {
      db.run("ROLLBACK");
      db.close();
    },
  };
}
