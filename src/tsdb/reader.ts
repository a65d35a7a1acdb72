// Connections for reading: one snapshot per read, and the connection kept for the next read.
import type { Database } from "bun:sqlite";
import { openReader, readVersion, runGuarded } from "./file.ts";

export interface Readers {
  /** Runs `work` on the file as it is now; later writes do not change what it sees. Undefined: no file yet. */
  use<T>(work: (db: Database | undefined) => Promise<T>): Promise<T>;
  close(): void;
}

/** Readers of the file at `path`. Reads that overlap get a connection each; one stays open in between. */
export function createReaders(path: string): Readers {
  let spare: Database | undefined;
  let closed = false;

  function begin(): Database | undefined {
    const db = spare ?? openReader(path);
    spare = undefined;
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
    if (closed || spare) db.close();
    else spare = db;
  }

  return {
    async use(work) {
      const db = runGuarded(begin);
      try {
        const result = await work(db);
        if (db) end(db);
        return result;
      } catch (error) {
        // A read that was cut short leaves a statement half way through; closing ends it.
        db?.close();
        return runGuarded(() => {
          throw error;
        });
      }
    },
    close() {
      closed = true;
      spare?.close();
      spare = undefined;
    },
  };
}
