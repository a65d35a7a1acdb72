// SQL of a node that joins; several nodes exclude points in files of one server, a command excludes all nodes.
import { sql } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import type { Store } from "../db/open.ts";
import { type Tx, writeUncached } from "../db/transaction.ts";
import type { Connection } from "./connection.ts";
import { isLocked } from "./errors.ts";
import { lessDatabaseTime, type NewNode } from "./nodes.ts";

const isAlive = sql`lease_until > clock_timestamp()`;
/** Held by a command that no node may work beside, of the schema of the session. */
const exclusiveLock = sql.raw("hashtext('torus exclusive ' || current_schema())");
const way = "points of several nodes need a database that all of them reach";

interface JoinOptions {
  readonly leaseMs: number;
  /** Kinds of buckets whose points are in files of one server. */
  readonly kindsWithFiles: readonly string[];
  /** Clock of the node, ms since the epoch. */
  readonly at: number;
}

/**
 * Adds a node with a lease; earlier memberships of its data directory end.
 * @throws TorusError `not_supported` beside other nodes where there is a bucket of such a kind
 */
export function joinNode(
  store: Store,
  node: NewNode,
  { leaseMs, kindsWithFiles, at }: JoinOptions,
): Promise<void> {
  return writeUncached(store, async (tx) => {
    const [free] = await tx.values(sql`select 1 where pg_try_advisory_xact_lock_shared(${exclusiveLock})`);
    if (!free) {
      const reason = "a command uses the database";
      throw new TorusError("storage_unavailable", `${reason}: start when it has ended`);
    }
    await tx.run(
      sql`update nodes set lease_until = clock_timestamp() where storage = ${node.storage} and ${isAlive}`,
    );
    const others = await listAlive(tx);
    if (others.length > 0) await assertNoFiles(tx, kindsWithFiles, others[0]!);
    const { id, storage, name, host, address, version, work, settingsHash, startedAt } = node;
    await tx.run(sql`insert into nodes
      (id, storage, name, host, address, version, work, settings_hash, started_at, lease_until, clock_skew_ms) values
      (${id}, ${storage}, ${name}, ${host}, ${address}, ${version}, ${work.join(",")}, ${settingsHash}, ${startedAt},
      clock_timestamp() + ${leaseMs}::bigint * interval '1 millisecond',
      ${at}${sql.raw(lessDatabaseTime)})`);
  });
}

/**
 * Takes a database for a command until the connection closes: no node joins meanwhile. A command that has just ended
 * holds the lock until the server notices, so that it is waited for as long as `lock_timeout` says.
 * @throws TorusError `internal` naming a server that uses it
 */
export async function takeExclusively(connection: Connection): Promise<void> {
  const taken = connection.query(
    "select pg_advisory_lock(hashtext('torus exclusive ' || current_schema()))::text",
  );
  await taken.catch((error) => {
    throw isLocked(error) ? inUse("another command") : error;
  });
  const [row] = await connection.query(
    "select host from nodes where lease_until > clock_timestamp() limit 1",
  );
  if (row) throw inUse(`the server on ${row[0]}`);
}

function inUse(by: string): TorusError {
  return new TorusError(
    "internal",
    `the database is in use by ${by}: stop it, and all other servers of the database`,
  );
}

/** @throws TorusError `not_supported` where several nodes share the database */
export async function assertAlone(tx: Tx): Promise<void> {
  const nodes = await listAlive(tx);
  if (nodes.length < 2) return;
  throw new TorusError(
    "not_supported",
    `${nodes.length} nodes share the state, and this type of bucket keeps points in files of one: ${way}`,
  );
}

async function assertNoFiles(tx: Tx, kinds: readonly string[], other: string): Promise<void> {
  const [row] = await tx.values<[string, string]>(
    sql`select name, kind from buckets where kind in ${kinds} order by name limit 1`,
  );
  if (!row) return;
  throw new TorusError(
    "not_supported",
    `bucket ${row[0]} (${row[1]}) keeps points in files of the server on ${other}, so no other node can join: ${way}`,
  );
}

/** Hosts of the nodes with a lease. */
async function listAlive(tx: Tx): Promise<string[]> {
  const rows = await tx.values<[string]>(
    sql`select host from nodes where ${isAlive} order by started_at, id`,
  );
  return rows.map(([host]) => host);
}
