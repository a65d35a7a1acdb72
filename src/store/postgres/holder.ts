// Holder of a database: the one server that works with it; an advisory lock keeps others out, each write checks the row.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { TorusError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { unavailable } from "./errors.ts";

const KEY = "holder";
/** The session of a process that has ended lasts a moment longer. */
const MAX_ATTEMPTS = 10;
const RETRY_MS = 50;

/** Row of `meta`. */
interface HolderRow {
  /** Of one start of a server; never used again. */
  readonly id: string;
  readonly host: string;
}

/**
 * A server whose lock is gone with its connection, while another one has taken the database, commits nothing: the row is
 * read in each transaction that writes, and serializable transactions see its change.
 */
export class Holder {
  readonly #row: HolderRow = { id: randomUUID(), host: hostname() };

  /** @param schema of the tables, which names the lock */
  constructor(private readonly schema: string) {}

  /** Takes the database, which must be migrated. @throws TorusError `internal` naming the server that holds it */
  async take(connection: Connection): Promise<void> {
    for (let attempt = 1; !(await this.#lock(connection)); attempt++) {
      if (attempt === MAX_ATTEMPTS) throw inUse(await findHolder(connection));
      await Bun.sleep(RETRY_MS);
    }
    const statement =
      "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value";
    await connection.query(statement, [KEY, JSON.stringify(this.#row)]);
  }

  /** Takes the lock again on a new connection; another holder is found by the next write. */
  async retake(connection: Connection): Promise<void> {
    await this.#lock(connection);
  }

  /** @throws TorusError `storage_unavailable` where another server has taken the database */
  async assertHeld(connection: Connection): Promise<void> {
    const holder = await findHolder(connection);
    if (holder?.id === this.#row.id) return;
    throw unavailable(`${nameOf(holder)} has taken the database over; stop this server`);
  }

  async #lock(connection: Connection): Promise<boolean> {
    const [row] = await connection.query("select pg_try_advisory_lock(hashtext(?)) ::int", [
      `torus ${this.schema}`,
    ]);
    return row?.[0] === 1;
  }
}

async function findHolder(connection: Connection): Promise<HolderRow | undefined> {
  const [row] = await connection.query("select value from meta where key = ?", [KEY]);
  return row && JSON.parse(String(row[0]));
}

function inUse(holder: HolderRow | undefined): TorusError {
  return new TorusError(
    "internal",
    `the database is in use by ${nameOf(holder)}: stop it, or give this server another database`,
  );
}

function nameOf(holder: HolderRow | undefined): string {
  return holder ? `the server on ${holder.host}` : "another server";
}
