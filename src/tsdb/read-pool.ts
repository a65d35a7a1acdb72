// Pool of read connections: one snapshot per read; one idle connection stays open.
import type { Database } from "bun:sqlite";
import { openReader, readVersion, runGuarded } from "./file.ts";

export interface ReadPool {
  /** Runs `work` on a snapshot of the file; undefined where there is no file yet. */
  use<T>(work: (db: Database | undefined) => Promise<T>): Promise<T>;
  /** Closes the idle connection; the next read opens another. */
  drop(): void;
  close(): void;
}

/** Read connections to the file at `path`. Concurrent reads have a connection each. */
export function createReadPool(path: string): ReadPool {
  let idle: Database | undefined;
  let closed = false;

  function begin(): Database | undefined {
    const db = idle ?? openReader(path);
    idle = undefined;
    if (!db) return undefined;
    try {
      db.run("BEGIN");
      if (readVersion(db) > 0) return db;
      db.close();
      return undefined;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  function end(db: Database): void {
    db.run("COMMIT");
    if (closed || idle) db.close();
    else idle = db;
  }

  function drop(): void {
    idle?.close();
    idle = undefined;
  }

  return {
    async use(work) {
      const db = runGuarded(begin);
      try {
        const result = await work(db);
        if (db) end(db);
        return result;
      } catch (error) {
        // An interrupted read leaves an open statement; closing the connection ends it.
        db?.close();
        return runGuarded(() => {
          throw error;
        });
      }
    },
    drop,
    close() {
      closed = true;
      drop();
    },
  };
}
