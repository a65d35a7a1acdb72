// Opens the state database of a data directory: lock, checks, copy before an upgrade, migration; and closes it.
import { Database } from "bun:sqlite";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import type { MigrationMeta } from "drizzle-orm/migrator";
import { TorusError } from "../../core/errors.ts";
import { openVault, type Sealing } from "../secrets/rotate.ts";
import { plainVault, type Vault } from "../secrets/seal.ts";
import { KEY_FILE } from "../secrets/seal-key.ts";
import { findDamagedRows } from "./check-rows.ts";
import { applyMigrations, migrations, newestStamp, readSchemaStamp } from "./migrations.ts";
import { RowCache } from "./row-cache.ts";

export const FILE = "torus.db";
const FILE_MODE = 0o600;
const BUSY_TIMEOUT_MS = 5000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** An open state database; only files of this folder look inside. */
export interface Store {
  readonly dir: string;
  readonly sqlite: Database;
  /**
   * Reads the main file; open as long as the database, because closing any descriptor of the file would end the lock on
   * it (fcntl(2)).
   */
  readonly descriptor: number;
  readonly db: BunSQLiteDatabase;
  /** Seals secrets on their way in and opens them on their way out. */
  readonly vault: Vault;
  readonly rowCache: RowCache;
  /** Writes everything into the main file and frees the lock. A second call does nothing. */
  close(): void;
}

export interface OpenOptions {
  /** Data directory; made (0700) where it does not exist. */
  readonly dir: string;
  /** The migrations to bring the database to; those of this program unless a test says otherwise. */
  readonly migrations?: readonly MigrationMeta[];
  /** How secrets are sealed; absent: they are not. */
  readonly sealing?: Sealing;
}

/** Whether a data directory has a database already. */
export function hasStore(dir: string): boolean {
  return existsSync(join(dir, FILE));
}

/**
 * Opens the database of a data directory and keeps others out of it until `close`.
 * @throws TorusError `internal` with the steps to take: directory in use, not writable, damaged, newer than us, or
 * sealed with another key
 */
export function openStore(options: OpenOptions): Store {
  const { dir, sealing } = options;
  makeDirectory(dir);
  refuseRemains(dir);
  const sqlite = openFile(dir);
  try {
    lock(sqlite, dir);
    checkIntegrity(sqlite, dir);
    upgrade(sqlite, options);
    // A test's own migrations make other tables.
    if (!options.migrations) checkRows(sqlite, dir);
    sqlite.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    sqlite.run("PRAGMA foreign_keys = ON");
    const vault = sealing ? openVault(sqlite, dir, sealing) : plainVault;
    const descriptor = openSync(join(dir, FILE), "r");
    const close = () => closeFile(sqlite, descriptor);
    return { dir, sqlite, descriptor, db: drizzle(sqlite), vault, rowCache: new RowCache(), close };
  } catch (error) {
    sqlite.close(true);
    throw isDamage(error) ? damaged(dir, (error as Error).message) : error;
  }
}

function makeDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new TorusError("internal", `cannot make the data directory ${dir}: ${(error as Error).message}`);
  }
}

/**
 * A restore that was cut short: SQLite would drop the log of an empty main file, and begin anew.
 * @throws TorusError `internal` where there is no database, but what belongs to one
 */
function refuseRemains(dir: string): void {
  if (sizeOf(join(dir, FILE)) > 0) return;
  const found = [`${FILE}-wal`, KEY_FILE].filter((name) => sizeOf(join(dir, name)) > 0);
  if (existsSync(join(dir, "buckets")) && readdirSync(join(dir, "buckets")).length > 0)
    found.push("buckets/");
  if (found.length === 0) return;
  const way = `put ${FILE} and buckets/ of a backup in place; to begin anew, move ${found.join(", ")} away`;
  throw new TorusError(
    "internal",
    `the data directory ${dir} holds ${found.join(", ")}, but ${FILE} is missing or empty: ${way}`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** SQLite gives a log the mode of its main file. A file is opened here only where SQLite has not opened it yet. */
function restrictAccess(dir: string): void {
  const path = join(dir, FILE);
  if (!existsSync(path)) closeSync(openSync(path, "wx", FILE_MODE));
  for (const file of [path, `${path}-wal`]) if (existsSync(file)) chmodSync(file, FILE_MODE);
}

function openFile(dir: string): Database {
  try {
    restrictAccess(dir);
    return new Database(join(dir, FILE), { create: true, strict: true });
  } catch (error) {
    throw new TorusError("internal", `cannot open ${join(dir, FILE)}: ${(error as Error).message}`);
  }
}

/** Takes the lock at once or says who has it; the pragmas count from the first page read on, so they come first. */
function lock(sqlite: Database, dir: string): void {
  try {
    sqlite.run("PRAGMA busy_timeout = 0");
    sqlite.run("PRAGMA locking_mode = EXCLUSIVE");
    sqlite.run("PRAGMA journal_mode = WAL");
    sqlite.run("PRAGMA synchronous = FULL");
    sqlite.run(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
    sqlite.run("BEGIN IMMEDIATE");
    sqlite.run("COMMIT");
  } catch (error) {
    if (!codeOf(error).startsWith("SQLITE_BUSY")) throw error;
    const way = "stop it, or give this one another data directory";
    throw new TorusError("internal", `the data directory ${dir} is in use by another server: ${way}`);
  }
}

function checkIntegrity(sqlite: Database, dir: string): void {
  const rows = sqlite.query("PRAGMA quick_check(5)").all() as { quick_check: string }[];
  const findings = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
  if (findings.length > 0) throw damaged(dir, findings.join("; "));
}

/** Nothing starts with half of its state: models that go unwatched would be missed by no one. */
function checkRows(sqlite: Database, dir: string): void {
  const rows = findDamagedRows(sqlite);
  if (rows.length === 0) return;
  const finding = `no valid JSON in ${rows.join("; ")}`;
  const way = "or delete these rows with the program sqlite3 to go on without them";
  throw new TorusError("internal", `${damaged(dir, finding).message}; ${way}`);
}

function upgrade(sqlite: Database, { dir, migrations: list = migrations }: OpenOptions): void {
  const stamp = readSchemaStamp(sqlite);
  const newest = list.at(-1)?.folderMillis ?? newestStamp;
  if (stamp > newest)
    throw new TorusError(
      "internal",
      `the database in ${dir} was written by a newer version of the server: start that version, or restore a copy`,
    );
  if (stamp === newest) return;
  if (stamp > 0) copyBeforeUpgrade(sqlite, dir, stamp);
  // Rebuilding a table drops the old one; with the keys on, that would delete what refers to it.
  sqlite.run("PRAGMA foreign_keys = OFF");
  applyMigrations(drizzle(sqlite), list);
  if (sqlite.query("PRAGMA foreign_key_check").all().length > 0) throw damaged(dir, "dangling references");
}

/** A whole copy or none: written beside, then renamed. */
function copyBeforeUpgrade(sqlite: Database, dir: string, stamp: number): void {
  const target = join(dir, `${FILE}.before-${stamp}`);
  const part = `${target}.part`;
  if (existsSync(part)) rmSync(part);
  sqlite.query("VACUUM INTO ?").run(part);
  chmodSync(part, FILE_MODE);
  renameSync(part, target);
}

const closed = new WeakSet<Database>();

function closeFile(sqlite: Database, descriptor: number): void {
  if (closed.has(sqlite)) return;
  closed.add(sqlite);
  try {
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The disk is full: the log file beside it holds everything and is read at the next start.
  }
  // `true` also ends the statements; one that is left would keep the lock until it is garbage collected.
  sqlite.close(true);
  closeSync(descriptor);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}

function isDamage(error: unknown): boolean {
  return ["SQLITE_NOTADB", "SQLITE_CORRUPT"].some((code) => codeOf(error).startsWith(code));
}

function damaged(dir: string, finding: string): TorusError {
  const steps = `move ${FILE} and ${FILE}-wal away, put a backup in their place, start again`;
  return new TorusError("internal", `the database in ${dir} is damaged (${finding}): ${steps}`);
}
