// Engine on PostgreSQL: serializable transactions, begun anew where one conflicts; changes go to the other nodes with them.
import { TorusError } from "../../core/errors.ts";
import { Lock } from "../../runtime/lock.ts";
import type { Engine, Work } from "../db/engine.ts";
import { outgoingOf } from "../db/transaction.ts";
import { appendChange } from "./change-feed.ts";
import type { Connection } from "./connection.ts";
import { isBroken, isConflict, translate } from "./errors.ts";
import type { Pool } from "./pool.ts";

const MAX_ATTEMPTS = 20;
const MAX_DELAY_MS = 200;
const beginWrite = "begin isolation level serializable";
const beginGuarded = "begin isolation level read committed";
const beginRead = "begin isolation level repeatable read read only";

interface PostgresEngineDeps {
  readonly pool: Pool;
  /** The error of a database that is known not to answer: nothing waits for it then. */
  readonly outage: () => TorusError | undefined;
  /** Of this server, in the feed of changes. */
  readonly origin: string;
  /** Called for each transaction, with how often it was begun. */
  readonly onWrite?: (attempts: number) => void;
}

/** Writes of one server take turns, as on SQLite: only those of others can conflict. */
export class PostgresEngine implements Engine {
  readonly isShared = true;
  readonly #lock = new Lock();

  constructor(private readonly deps: PostgresEngineDeps) {}

  /** @throws TorusError `storage_unavailable`, `storage_full`, `overloaded` where conflicts do not end */
  write<T>(work: Work<T>): Promise<T> {
    return this.#lock.run(() => this.#repeat(beginWrite, work));
  }

  /** @throws TorusError as `write` */
  writeGuarded<T>(work: Work<T>): Promise<T> {
    return this.#repeat(beginGuarded, work);
  }

  /** @throws TorusError `storage_unavailable` */
  async read<T>(work: Work<T>): Promise<T> {
    try {
      return await this.#run(beginRead, async ({ db }) => work(db), { isRead: true });
    } catch (error) {
      throw translate(error);
    }
  }

  /** @throws TorusError as `read` */
  async readOne<T>(work: Work<T>): Promise<T> {
    const outage = this.deps.outage();
    if (outage) throw outage;
    try {
      return await this.deps.pool.use(async (connection) => {
        try {
          return await work(connection.db);
        } catch (error) {
          if (isBroken(error)) await connection.close();
          throw error;
        }
      });
    } catch (error) {
      throw translate(error);
    }
  }

  async #repeat<T>(begin: string, work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#run(begin, async (connection) => {
          const result = await work(connection.db);
          await this.#publish(connection);
          return result;
        });
        this.deps.onWrite?.(attempt);
        return result;
      } catch (error) {
        if (!isConflict(error)) throw translate(error);
        if (attempt === MAX_ATTEMPTS) {
          this.deps.onWrite?.(attempt);
          throw new TorusError("overloaded", "other servers change the same rows: try again");
        }
        await Bun.sleep(Math.random() * Math.min(MAX_DELAY_MS, 2 ** attempt));
      }
    }
  }

  /** Evaluations are many, and no other node acts on them. */
  async #publish(connection: Connection): Promise<void> {
    const { changes, signals } = outgoingOf(connection.db);
    const shared = changes.filter(({ type }) => type !== "live");
    if (shared.length + signals.length > 0)
      await appendChange(connection, this.deps.origin, { changes: shared, signals });
  }

  async #run<T>(
    begin: string,
    work: (connection: Connection) => Promise<T>,
    { isRead = false } = {},
  ): Promise<T> {
    const outage = this.deps.outage();
    if (outage) throw outage;
    return this.deps.pool.use(async (connection) => {
      try {
        // Sent with the first statement, which fails where it does.
        const begun = connection.run(begin);
        begun.catch(() => {});
        const result = await work(connection);
        await begun;
        const committed = connection.run("commit");
        // What was read does not wait for it; the next transaction of the session comes after it.
        if (isRead) committed.catch(() => connection.close());
        else await committed;
        return result;
      } catch (error) {
        if (isBroken(error)) await connection.close();
        else await connection.run("rollback").catch(() => connection.close());
        throw error;
      }
    });
  }
}
