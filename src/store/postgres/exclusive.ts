// Exclusive use of a database by a command: no server works with it until the connection closes.
import { TorusError } from "../../core/errors.ts";
import { otherVersion } from "../db/oldest-version.ts";
import type { Connection } from "./connection.ts";
import { takeExclusively } from "./join.ts";
import { migrate, newestMigration } from "./migrations.ts";
import { DEFAULT_SCHEMA, openFirst } from "./open.ts";

export interface ExclusiveOptions {
  readonly url: string;
  /** Of the tables. */
  readonly schema?: string;
}

/**
 * Opens a database that is to take a state; its tables are created or migrated.
 * @throws TorusError `internal` with the steps to take: not reachable, in use, of another version
 */
export function openTarget(options: ExclusiveOptions): Promise<Connection> {
  return openExclusively(options, { create: true });
}

/**
 * Opens a database that holds a state, and leaves it as it is.
 * @throws TorusError `internal` with the steps to take: not reachable, in use, without tables, of another version
 */
export function openSource(options: ExclusiveOptions): Promise<Connection> {
  return openExclusively(options, { create: false });
}

async function openExclusively(
  { url, schema = DEFAULT_SCHEMA }: ExclusiveOptions,
  { create }: { readonly create: boolean },
): Promise<Connection> {
  const connection = await openFirst(url, schema, create);
  try {
    if (create) await migrate(connection);
    await assertCurrent(connection);
    await takeExclusively(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** @throws TorusError `internal` where the tables are missing, or of another version */
async function assertCurrent(connection: Connection): Promise<void> {
  const [table] = await connection.query("select to_regclass('torus_migrations') ::text");
  const newest = table?.[0]
    ? (await connection.query("select max(name) from torus_migrations"))[0]?.[0]
    : undefined;
  if (newest === newestMigration) return;
  if (!newest) throw new TorusError("internal", "the database of storage.url holds no state");
  throw otherVersion("the database", String(newest) > newestMigration, `migration ${newest}`);
}
