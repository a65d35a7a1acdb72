// Names of the buckets of a data directory, read without opening its state.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";

interface KnownBucket {
  readonly name: string;
  /** 1 of a bucket that has had points in a file. */
  readonly hasPoints: number;
}

/** The buckets; none where a running server holds the state. */
export function listKnownBuckets(dataDir: string): KnownBucket[] {
  const path = join(dataDir, "torus.db");
  if (!existsSync(path)) return [];
  try {
    const db = new Database(path, { readonly: true, strict: true });
    try {
      return db
        .query<KnownBucket, []>(
          "SELECT name, EXISTS (SELECT 1 FROM meta WHERE key = 'points:' || buckets.name) AS hasPoints FROM buckets",
        )
        .all();
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}
