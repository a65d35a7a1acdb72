// Opens the state database on PostgreSQL, which several nodes may share: schema, migrations, cluster name, key.
import type { Change } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import { describeServers } from "../../core/input/database-address.ts";
import { abortable } from "../../runtime/abortable.ts";
import { sleep } from "../../runtime/deadline.ts";
import { Feed } from "../../runtime/feed.ts";
import { createSharedCache } from "../db/cached-query.ts";
import type { Store } from "../db/open.ts";
import { KEY_ID, type Sealing } from "../secrets/rotate.ts";
import { createVault, keyIdOf, plainVault, type Vault } from "../secrets/seal.ts";
import { requireKey } from "../secrets/seal-key.ts";
import { ChangeFeed } from "./change-feed.ts";
import { Connection } from "./connection.ts";
import { PostgresEngine } from "./engine.ts";
import { causeText, describeOutage, isBroken, isConflict, isDuplicate } from "./errors.ts";
import { migrate } from "./migrations.ts";
import { lockFolder } from "./node-folder.ts";
import { Pool } from "./pool.ts";
import { Session, type SingleStatements } from "./session.ts";
import { WeightsCache } from "./weights-cache.ts";

export const DEFAULT_SCHEMA = "torus";
const DEFAULT_LEASE_MS = 5000;
/** Share of a lease after which a beat without an answer hangs. */
const BEAT_SHARE = 0.8;
const RETRY_MS = 500;
const CLUSTER_NAME = "cluster_name";

interface OpenOptions {
  /** `postgres://user:password@host:port/database`; never shown. */
  readonly url: string;
  /** Data directory, also of `local` buckets; created (0700) where it does not exist. */
  readonly dir: string;
  /** Connections for transactions; one more is for beats and the feed. */
  readonly size?: number;
  /** Of the tables. */
  readonly schema?: string;
  /** How secrets are sealed; absent: not at all. */
  readonly sealing?: Sealing;
  /** Nodes of another cluster are refused. Default: `torus`. */
  readonly clusterName?: string;
  /** Default: 5 s. */
  readonly leaseMs?: number;
  /** How long a database that does not answer is waited for; default: not at all. */
  readonly waitMs?: number;
  /** Ends the wait, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once where it is waited for, with the reason. */
  readonly onWait?: (error: unknown) => void;
  /** Called for each transaction that writes, with how often it was begun. */
  readonly onWrite?: (attempts: number) => void;
  /** Called when connections are dropped because one of them is lost. */
  readonly onReset?: () => void;
}

/** A state database that nodes share. */
export interface SharedStore extends Store {
  /** Id of the data directory. */
  readonly folderId: string;
  /** For beats and shards. */
  readonly session: SingleStatements;
  /** Changes of other nodes. */
  readonly feed: ChangeFeed;
  close(): Promise<void>;
}

export function isShared(store: Store): store is SharedStore {
  return store.engine.isShared;
}

/**
 * Opens the database.
 * @throws TorusError `internal` with the steps to take: data directory in use, not reachable, no rights, a standby, of another version or cluster,
 * sealed with another key
 */
export async function openPostgres(options: OpenOptions): Promise<SharedStore> {
  const { url, dir, size = 6, schema = DEFAULT_SCHEMA, leaseMs = DEFAULT_LEASE_MS } = options;
  const folder = lockFolder(dir);
  try {
    const vault = await prepareWaiting(options, schema);
    const origin = crypto.randomUUID();
    const pool = new Pool(() => Connection.open(url, schema), size);
    const onLost = () => {
      options.onReset?.();
      void pool.reset();
    };
    const session = new Session({
      connect: () => Connection.open(url, schema, leaseMs * BEAT_SHARE),
      onLost,
    });
    const { onWrite } = options;
    const outage = () => session.outage;
    const engine = new PostgresEngine({ pool, origin, outage, ...(onWrite && { onWrite }) });
    const close = async () => {
      await pool.close();
      await session.close();
      folder.release();
    };
    const feed = new ChangeFeed(session, origin);
    const weights = new WeightsCache(dir);
    const rowCache = createSharedCache();
    return {
      dir,
      engine,
      vault,
      rowCache,
      weights,
      changes: new Feed<Change>(),
      folderId: folder.id,
      session,
      feed,
      close,
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/**
 * As `prepare`: a database that restarts, before or meanwhile, is waited for, as running nodes do; a migration that has
 * met their transactions in a deadlock is begun anew.
 */
async function prepareWaiting(options: OpenOptions, schema: string): Promise<Vault> {
  const { waitMs = 0, onWait, signal = new AbortController().signal } = options;
  const endAt = performance.now() + waitMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await abortable(prepare(options, schema), signal);
    } catch (error) {
      if (!isPassing(error) || performance.now() + RETRY_MS > endAt) throw error;
      if (attempt === 0) onWait?.(error);
      if (!(await sleep(RETRY_MS, signal))) throw signal.reason;
    }
  }
}

/** Brings the schema up to date, checks whose it is, and opens its secrets. */
async function prepare({ url, clusterName, sealing }: OpenOptions, schema: string): Promise<Vault> {
  const first = await openFirst(url, schema);
  try {
    await migrate(first);
    await assertCluster(first, clusterName ?? "torus");
    return sealing ? await openSharedVault(first, sealing) : plainVault;
  } finally {
    await first.close();
  }
}

function isPassing(error: unknown): boolean {
  return (
    isBroken(error) ||
    isConflict(error) ||
    (error instanceof TorusError && error.code === "storage_unavailable")
  );
}

/**
 * Opens the first connection of a process.
 * @param create whether the schema is created where it is missing
 * @throws TorusError `internal` with the reason, without the address
 */
export async function openFirst(url: string, schema: string, create = true): Promise<Connection> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(url, schema);
    // Making it asks for more rights, even where it exists.
    const known = await connection.query("select 1 from pg_namespace where nspname = ?", [schema]);
    if (create && known.length === 0) await createSchema(connection, schema);
    return connection;
  } catch (error) {
    await connection?.close();
    if (error instanceof TorusError && error.code === "invalid") throw error;
    const reason = isBroken(error)
      ? `${describeServers(url)} ${describeOutage(error)}`
      : explain(causeText(error));
    const refusal = new TorusError("internal", `the database of storage.url cannot be opened: ${reason}`);
    refusal.cause = error;
    throw refusal;
  }
}

/** Of nodes that start at the same moment one makes it; `if not exists` looks before the others have committed. */
async function createSchema(connection: Connection, schema: string): Promise<void> {
  try {
    await connection.run(`create schema if not exists "${schema}"`);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

function explain(reason: string): string {
  if (!/permission denied for database/.test(reason)) return reason;
  return `${reason}: grant its user CREATE on the database, or make the schema ${DEFAULT_SCHEMA} for it`;
}

/** A new database takes the name. */
async function assertCluster(connection: Connection, name: string): Promise<void> {
  await connection.query("insert into meta (key, value) values (?, ?) on conflict (key) do nothing", [
    CLUSTER_NAME,
    name,
  ]);
  const [row] = await connection.query("select value from meta where key = ?", [CLUSTER_NAME]);
  if (row?.[0] === name) return;
  throw new TorusError(
    "internal",
    `the database of storage.url holds the cluster ${row?.[0]}, and cluster.name is ${name}: set that name, or use another database`,
  );
}

/**
 * Opens the vault; a new database takes the key.
 * @throws TorusError `internal` with the steps to take: the key is missing, or is another one
 */
async function openSharedVault(
  connection: Connection,
  { key: given, file, secretsOf }: Sealing,
): Promise<Vault> {
  const key = given ?? (file === undefined ? undefined : requireKey(file));
  if (!key)
    throw new TorusError(
      "internal",
      "storage.url needs a key: set TORUS_KEY, or name a file in storage.key_file",
    );
  const own = keyIdOf(key);
  await connection.query("insert into meta (key, value) values (?, ?) on conflict (key) do nothing", [
    KEY_ID,
    own,
  ]);
  const [row] = await connection.query("select value from meta where key = ?", [KEY_ID]);
  if (row?.[0] === own) return createVault(key, secretsOf);
  const source = given ? "TORUS_KEY" : file;
  throw new TorusError(
    "internal",
    `the secrets in the database are sealed with the key ${row?.[0]}, and ${source} holds another one (${own}): put that key back, or change the key with torus reseal`,
  );
}
