// Bucket files: path, schema, opening with pragmas, transactions, SQLite errors as TorusErrors.
import { Database, SQLiteError } from "bun:sqlite";
import { createHash } from "node:crypto";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { TorusError } from "../core/errors.ts";
import { dropDescriptor } from "./descriptors.ts";
import { removeJournals } from "./head/journal.ts";
import { forgetDamage } from "./integrity/damage.ts";
import { storageFull } from "./storage-full.ts";

/**
 * Format version. 2: blocks may hold a step instead of instants (see block.ts); 3: blocks have a checksum; 4: blocks may
 * hold special values, and metrics have metadata; 5: points may be in journals beside the file. Earlier ones are read as
 * they are, and become version 5 with the first write.
 */
const VERSION = 5;
const FIRST_WITH_CHECKSUMS = 3;
export const FIRST_WITH_METADATA = 4;
const FIRST_WITH_JOURNALS = 5;
/** Type, help and unit of metrics, as their senders describe them. */
const metadataTable = `CREATE TABLE metadata (
  name TEXT PRIMARY KEY, type TEXT NOT NULL, help TEXT NOT NULL, unit TEXT NOT NULL
) WITHOUT ROWID;`;
/** One row: the id of the file, which its journals carry, and the first journal whose points are not in blocks. */
const headTable = `CREATE TABLE head (file_id INTEGER NOT NULL, replay_from INTEGER NOT NULL);
INSERT INTO head VALUES (random() & ${Number.MAX_SAFE_INTEGER}, 1);`;
const FILE_MODE = 0o600;
const schema = `
CREATE TABLE series (
  id INTEGER PRIMARY KEY, measurement TEXT NOT NULL, tags TEXT NOT NULL, UNIQUE (measurement, tags)
);
CREATE TABLE tags (
  tag TEXT NOT NULL, value TEXT NOT NULL, series_id INTEGER NOT NULL, PRIMARY KEY (tag, value, series_id)
) WITHOUT ROWID;
CREATE TABLE fields (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, series_id INTEGER NOT NULL REFERENCES series,
  UNIQUE (name, series_id)
);
CREATE INDEX fields_series ON fields (series_id);
-- Points of one field of one series, in blocks that do not overlap (see block.ts).
CREATE TABLE blocks (
  field_id INTEGER NOT NULL REFERENCES fields,
  start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, data BLOB NOT NULL, others TEXT, crc INTEGER,
  PRIMARY KEY (field_id, start_at)
);
${metadataTable}
${headTable}
PRAGMA user_version = ${VERSION};
`;

/** Path of a bucket's file within the data directory: a digest, so that a client's name never becomes a file name. */
export function fileNameOf(name: string): string {
  return `buckets/${createHash("sha256").update(name).digest("hex").slice(0, 32)}.db`;
}

/** Path of a bucket's file. */
export function pathOf(name: string, dataDir: string): string {
  return join(dataDir, fileNameOf(name));
}

/** Removes the file and the log files beside it. The main file goes first: without it SQLite ignores the others. */
export function removeFiles(path: string): void {
  forgetFile(path);
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  removeJournals(path);
}

/** Forgets what is known of a file that is removed or moved. */
export function forgetFile(path: string): void {
  dropDescriptor(path);
  checked.delete(path);
  forgetDamage(path);
}

/** Files checked since the start of the process. */
const checked = new Set<string>();
/** Larger files are not checked as a whole, which would block requests; SQLite checks each page it reads. */
const MAX_CHECKED_BYTES = 4 * 1024 * 1024;

/** @throws TorusError `bucket_damaged` */
function checkFile(db: Database, path: string): void {
  if (checked.has(path)) return;
  if (statSync(path).size <= MAX_CHECKED_BYTES) {
    const row = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()!;
    if (row.quick_check !== "ok") throw damaged();
  }
  checked.add(path);
}

/** An empty main file beside a log is damage: SQLite would drop the log. @throws TorusError `bucket_damaged` */
function refuseEmptied(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size;
  if (sizeOf(path) === 0 && (sizeOf(`${path}-wal`) ?? 0) > 0) throw damaged();
}

/** SQLite gives a log the mode of its main file. Never opens an existing file: closing it would end SQLite's locks. */
function restrictAccess(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "wx", FILE_MODE));
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) chmodSync(path + suffix, FILE_MODE);
}

function damaged(): TorusError {
  return new TorusError("bucket_damaged", "the bucket's file is damaged; restore it, or delete the bucket");
}

/** Opens or creates the file for writing. A commit returns once it is on disk. */
export function openWriter(path: string, maxPages?: number): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseEmptied(path);
  restrictAccess(path);
  const db = new Database(path, { create: true, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA foreign_keys = ON");
    db.run("PRAGMA cache_size = -16384");
    db.run("PRAGMA wal_autocheckpoint = 2000");
    db.run("PRAGMA journal_size_limit = 33554432");
    if (maxPages !== undefined) db.run(`PRAGMA max_page_count = ${maxPages}`);
    runTransaction(db, () => {
      const version = readVersion(db);
      if (version === 0) db.run(schema);
      else if (version < VERSION) upgrade(db, version);
    });
    checkFile(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Blocks get their checksums when they are written again. */
function upgrade(db: Database, version: number): void {
  if (version < FIRST_WITH_CHECKSUMS) db.run("ALTER TABLE blocks ADD COLUMN crc INTEGER");
  if (version < FIRST_WITH_METADATA) db.run(metadataTable);
  db.run(headTable);
  db.run(`PRAGMA user_version = ${VERSION}`);
}

/** Of a read that has begun: the checksum of a block, null in a file without them. */
export function checksumColumn(db: Database): string {
  return readVersion(db) >= FIRST_WITH_CHECKSUMS ? "crc" : "NULL AS crc";
}

/** What a file says of its journals. */
export interface JournalState {
  readonly file_id: number;
  /** Points of earlier journals are in blocks. */
  readonly replay_from: number;
}

/** @returns undefined of a file of a version without journals */
export function readJournalState(db: Database): JournalState | undefined {
  if (readVersion(db) < FIRST_WITH_JOURNALS) return undefined;
  return db.query<JournalState, []>("SELECT file_id, replay_from FROM head").get() ?? undefined;
}

/** Opens a file for reading only. @returns undefined where there is none yet */
export function openReader(path: string): Database | undefined {
  if (!existsSync(path)) return undefined;
  refuseEmptied(path);
  // SQLite needs write access to the files beside a WAL database, even to read it; query_only keeps it to that.
  const db = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.run("PRAGMA query_only = ON");
    db.run("PRAGMA mmap_size = 1073741824");
    checkFile(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Format version; 0 for a file without tables. @throws TorusError `bucket_unavailable` for the file of a newer version */
export function readVersion(db: Database): number {
  const { user_version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!;
  if (user_version <= VERSION) return user_version;
  throw new TorusError(
    "bucket_unavailable",
    "the bucket's file was written by a newer version; upgrade the server",
  );
}

/** Runs `work` as one transaction, which is rolled back when it throws. */
export function runTransaction<T>(db: Database, work: () => T): T {
  db.run("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.run("COMMIT");
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (db.inTransaction) db.run("ROLLBACK");
    throw error;
  }
}

/** Runs `work`. @throws TorusError in place of SQLite errors: `storage_full`, `bucket_damaged`, `bucket_unavailable` */
export function runGuarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SQLiteError) throw toTorusError(error);
    throw error;
  }
}

/** As `runGuarded`. */
export async function runGuardedAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return runGuarded(() => {
      throw error;
    });
  }
}

function toTorusError({ code = "" }: SQLiteError): TorusError {
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE") return storageFull();
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged();
  return new TorusError("bucket_unavailable", `the bucket's file cannot be used (${code}); try again`);
}
