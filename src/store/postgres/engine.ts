// Engine on PostgreSQL: serializable transactions, begun anew where one conflicts; fenced by the holder of the database.
import { TorusError } from "../../core/errors.ts";
import { Lock } from "../../runtime/lock.ts";
import type { Engine, Work } from "../db/engine.ts";
import type { Connection } from "./connection.ts";
import { isBroken, isConflict, translate } from "./errors.ts";
import type { Pool } from "./pool.ts";

const MAX_ATTEMPTS = 20;
const MAX_DELAY_MS = 200;
const beginWrite = "begin isolation level serializable";
const beginRead = "begin isolation level repeatable read read only";

export interface PostgresEngineDeps {
  readonly pool: Pool;
  /** Asserts within a transaction that this server holds the database. @throws TorusError `storage_unavailable` */
  readonly assertHeld: (connection: Connection) => Promise<void>;
}

/** Writes of one server take turns, as on SQLite: only those of others can conflict. */
export class PostgresEngine implements Engine {
  readonly #lock = new Lock();

  constructor(private readonly deps: PostgresEngineDeps) {}

  /** @throws TorusError `storage_unavailable`, `storage_full`, `overloaded` where conflicts do not end */
  write<T>(work: Work<T>): Promise<T> {
    return this.#lock.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#run(beginWrite, async (connection) => {
            await this.deps.assertHeld(connection);
            return work(connection.db);
          });
        } catch (error) {
          if (!isConflict(error)) throw translate(error);
          if (attempt === MAX_ATTEMPTS)
            throw new TorusError("overloaded", "other servers change the same rows: try again");
          await Bun.sleep(Math.random() * Math.min(MAX_DELAY_MS, 2 ** attempt));
        }
      }
    });
  }

  /** @throws TorusError `storage_unavailable` */
  async read<T>(work: Work<T>): Promise<T> {
    try {
      return await this.#run(beginRead, async ({ db }) => work(db));
    } catch (error) {
      throw translate(error);
    }
  }

  async #run<T>(begin: string, work: (connection: Connection) => Promise<T>): Promise<T> {
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
