// Opens the state database on PostgreSQL: schema, migrations, holder, key; one server at a time.
import { mkdirSync } from "node:fs";
import type { Change } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import { Feed } from "../../runtime/feed.ts";
import { createStoreCache } from "../db/cached-query.ts";
import type { Store } from "../db/open.ts";
import type { Sealing } from "../secrets/rotate.ts";
import { plainVault } from "../secrets/seal.ts";
import { Connection } from "./connection.ts";
import { PostgresEngine } from "./engine.ts";
import { causeText, isBroken } from "./errors.ts";
import { Holder } from "./holder.ts";
import { migrate } from "./migrations.ts";
import { Pool } from "./pool.ts";
import { openSharedVault } from "./vault.ts";
import { Watch } from "./watch.ts";

export const DEFAULT_SCHEMA = "torus";

interface OpenOptions {
  /** `postgres://user:password@host:port/database`; never shown. */
  readonly url: string;
  /** Data directory, for `local` buckets; created (0700) where it does not exist. */
  readonly dir: string;
  /** Connections for transactions; one more holds the lock. */
  readonly size?: number;
  /** Of the tables. */
  readonly schema?: string;
  /** How secrets are sealed; absent: not at all. */
  readonly sealing?: Sealing;
}

/**
 * Opens the database and holds it until `close`.
 * @throws TorusError `internal` with the steps to take: not reachable, in use, of another version, sealed with another key
 */
export async function openPostgres(options: OpenOptions): Promise<Store> {
  const { url, dir, size = 6, schema = DEFAULT_SCHEMA, sealing } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const holder = new Holder(schema);
  const held = await openFirst(url, schema);
  try {
    await migrate(held);
    await holder.take(held);
    const vault = sealing ? await openSharedVault(held, sealing) : plainVault;
    const connect = () => Connection.open(url, schema);
    const pool = new Pool(connect, size);
    const engine = new PostgresEngine({ pool, assertHeld: (connection) => holder.assertHeld(connection) });
    const watch = new Watch(held, { connect, holder, pool });
    const close = async () => {
      await pool.close();
      await watch.close();
    };
    return { dir, engine, vault, rowCache: createStoreCache(), changes: new Feed<Change>(), close };
  } catch (error) {
    await held.close();
    throw error;
  }
}

/**
 * Opens the first connection of a process.
 * @param create whether the schema is created where it is missing
 * @throws TorusError `internal` with the reason, without the address
 */
export async function openFirst(url: string, schema: string, create = true): Promise<Connection> {
  try {
    const connection = await Connection.open(url, schema);
    if (create) await connection.run(`create schema if not exists "${schema}"`);
    return connection;
  } catch (error) {
    if (error instanceof TorusError && error.code === "invalid") throw error;
    const reason = isBroken(error) ? "it does not answer" : causeText(error);
    throw new TorusError("internal", `the database of storage.url cannot be opened: ${reason}`);
  }
}
