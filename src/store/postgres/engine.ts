// Engine on PostgreSQL: serializable transactions, begun anew where one conflicts; changes go to the other nodes with them.
import { TorusError } from "../../core/errors.ts";
import { Lock } from "../../runtime/lock.ts";
import type { Engine, Work } from "../db/engine.ts";
import { outgoingOf } from "../db/transaction.ts";
import { appendChange } from "./change-feed.ts";
import type { Connection } from "./connection.ts";
import { isBroken, isConflict, translate, unavailable } from "./errors.ts";
import type { Pool } from "./pool.ts";

const MAX_ATTEMPTS = 20;
const MAX_DELAY_MS = 200;
const beginWrite = "begin isolation level serializable";
const beginGuarded = "begin isolation level read committed";
const beginRead = "begin isolation level repeatable read read only";

export interface PostgresEngineDeps {
  readonly pool: Pool;
  /** Whether the database is known not to answer: then nothing waits for it. */
  readonly isDown: () => boolean;
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
      return await this.#run(beginRead, async ({ db }) => work(db));
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

  async #run<T>(begin: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.deps.isDown()) throw unavailable("the database does not answer");
    return this.deps.pool.use(async (connection) => {
      try {
        await connection.run(begin);
        const result = await work(connection);
        await connection.run("commit");
        return result;
      } catch (error) {
        if (isBroken(error)) await connection.close();
        else await connection.run("rollback").catch(() => connection.close());
        throw error;
      }
    });
  }
}
