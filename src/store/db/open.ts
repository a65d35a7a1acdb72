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
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { MigrationMeta } from "drizzle-orm/migrator";
import type { Change } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import { Feed } from "../../runtime/feed.ts";
import type { WeightsCache } from "../postgres/weights-cache.ts";
import { openVault, type Sealing } from "../secrets/rotate.ts";
import { plainVault, type Vault } from "../secrets/seal.ts";
import { KEY_FILE } from "../secrets/seal-key.ts";
import { createStoreCache, type StoreCache } from "./cached-query.ts";
import { findDamagedRows } from "./check-rows.ts";
import type { Engine } from "./engine.ts";
import { applyMigrations, migrations, newestStamp, readSchemaStamp } from "./migrations.ts";
import { assertUsable, otherVersion, readOldestVersion } from "./oldest-version.ts";
import { SqliteEngine } from "./sqlite-engine.ts";

export const FILE = "torus.db";
/** Of a database whose state was moved to PostgreSQL; followed by the time. */
export const MOVED = ".migrated-";
const FILE_MODE = 0o600;
const BUSY_TIMEOUT_MS = 5000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** An open state database; only files of src/store use its fields. */
export interface Store {
  /** Data directory. */
  readonly dir: string;
  readonly engine: Engine;
  /** Seals secrets on their way in and opens them on their way out. */
  readonly vault: Vault;
  readonly rowCache: StoreCache;
  /** Weights beside a database that is far; absent: they are read from the file of the database. */
  readonly weights?: WeightsCache;
  /** Changes, published after their commit. */
  readonly changes: Feed<Change>;
  /** Ends the use of the database. A second call does nothing. */
  close(): void | Promise<void>;
}

/** A state database in the data directory. */
export interface SqliteStore extends Store {
  readonly sqlite: Database;
  /**
   * Of the main file, for reads; open as long as the database, because closing any descriptor of the file would release
   * its lock (fcntl(2)).
   */
  readonly descriptor: number;
  /** Checkpoints the log and releases the lock. */
  close(): void;
}

interface OpenOptions {
  /** Data directory; created (0700) where it does not exist. */
  readonly dir: string;
  /** Default: those of this program. For tests. */
  readonly migrations?: readonly MigrationMeta[];
  /** How secrets are sealed; absent: not at all. */
  readonly sealing?: Sealing;
  /** Refuses a database of another version: an older one in place of upgrading it, a newer one in place of going on. */
  readonly asIs?: boolean;
}

/** Whether a data directory has a database already. */
export function hasStore(dir: string): boolean {
  return existsSync(join(dir, FILE));
}

/**
 * Opens the database of a data directory and locks it until `close`.
 * @throws TorusError `internal` with the steps to take: directory in use, not writable, damaged, of a version too new
 * for this one, or sealed with another key
 */
export function openStore(options: OpenOptions): SqliteStore {
  const { dir, sealing } = options;
  makeDirectory(dir);
  assertNoRemains(dir);
  const sqlite = openFile(dir);
  try {
    lock(sqlite, dir);
    checkIntegrity(sqlite, dir);
    upgrade(sqlite, options);
    // Migrations of tests have other tables.
    if (!options.migrations) checkRows(sqlite, dir);
    sqlite.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    sqlite.run("PRAGMA foreign_keys = ON");
    const vault = sealing ? openVault(sqlite, dir, sealing) : plainVault;
    const descriptor = openSync(join(dir, FILE), "r");
    const close = () => closeFile(sqlite, descriptor);
    const memory = { rowCache: createStoreCache(), changes: new Feed<Change>() };
    return { dir, sqlite, descriptor, engine: new SqliteEngine(sqlite), vault, ...memory, close };
  } catch (error) {
    sqlite.close(true);
    throw isDamage(error) ? damaged(dir, (error as Error).message) : error;
  }
}

function makeDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new TorusError("internal", `cannot create the data directory ${dir}: ${(error as Error).message}`);
  }
}

/**
 * Detects an incomplete restore: SQLite would drop the log of an empty main file.
 * @throws TorusError `internal` where files of a database exist without its main file
 */
function assertNoRemains(dir: string): void {
  if (sizeOf(join(dir, FILE)) > 0) return;
  const found = [`${FILE}-wal`, KEY_FILE].filter((name) => sizeOf(join(dir, name)) > 0);
  if (existsSync(join(dir, "buckets")) && readdirSync(join(dir, "buckets")).length > 0)
    found.push("buckets/");
  const moved = findMoved(dir);
  if (moved) {
    const way = "set storage.url; to go back to the file, run torus migrate-state --to this directory";
    throw new TorusError("internal", `the state of ${dir} was moved to PostgreSQL (${moved}): ${way}`);
  }
  if (found.length === 0) return;
  const way = `put ${FILE} and buckets/ of a backup in place; to begin anew, move ${found.join(", ")} away`;
  throw new TorusError(
    "internal",
    `the data directory ${dir} holds ${found.join(", ")}, but ${FILE} is missing or empty: ${way}`,
  );
}

/** Name of the newest file that `torus migrate-state` has left. */
function findMoved(dir: string): string | undefined {
  if (!existsSync(dir)) return undefined;
  const files = readdirSync(dir).filter((name) => name.startsWith(`${FILE}${MOVED}`));
  return files.sort().at(-1);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Sets the mode before SQLite opens the file; its log inherits it. */
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

/** Takes the lock or fails at once; the pragmas come first, because they apply from the first page read on. */
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

/** A damaged row refuses the start: a model that silently is not watched would be worse. */
function checkRows(sqlite: Database, dir: string): void {
  const rows = findDamagedRows(sqlite);
  if (rows.length === 0) return;
  const finding = `no valid JSON in ${rows.join("; ")}`;
  const way = "or delete these rows with the program sqlite3 to go on without them";
  throw new TorusError("internal", `${damaged(dir, finding).message}; ${way}`);
}

function upgrade(sqlite: Database, { dir, asIs, migrations: list = migrations }: OpenOptions): void {
  const stamp = readSchemaStamp(sqlite);
  const newest = list.at(-1)?.folderMillis ?? newestStamp;
  const database = `the database in ${dir}`;
  if (stamp === newest) return;
  if (asIs) throw otherVersion(database, stamp > newest);
  if (stamp > newest) {
    assertUsable(database, readOldestVersion(sqlite));
    return;
  }
  if (stamp > 0) copyBeforeUpgrade(sqlite, dir, stamp);
  // Rebuilding a table drops the old one, which would cascade to the rows that refer to it.
  sqlite.run("PRAGMA foreign_keys = OFF");
  applyMigrations(drizzle(sqlite), list);
  if (sqlite.query("PRAGMA foreign_key_check").all().length > 0) throw damaged(dir, "dangling references");
}

/** Copies atomically: written beside, then renamed. */
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
    // The disk is full: the log holds everything and is read at the next start.
  }
  // `true` also finalizes statements; one that is left would hold the lock until it is garbage collected.
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
