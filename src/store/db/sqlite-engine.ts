// Engine on SQLite: one connection, so transactions and reads take turns.
import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { TorusError } from "../../core/errors.ts";
import { Lock } from "../../runtime/lock.ts";
import type { Db } from "./database.ts";
import type { Engine, Work } from "./engine.ts";

/** Statements run when they are called, so that a transaction ends in the turn of the event loop in which it begins. */
export class SqliteEngine implements Engine {
  readonly isShared = false;
  readonly #db: Db;
  readonly #lock = new Lock();

  constructor(private readonly sqlite: Database) {
    // Its builders differ in their types only: a value in place of a promise, which can be awaited, too.
    this.#db = drizzle(sqlite) as unknown as Db;
  }

  /** @throws TorusError `storage_full` where the disk is full or fails */
  write<T>(work: Work<T>): Promise<T> {
    return this.#lock.run(async () => {
      try {
        this.sqlite.run("BEGIN IMMEDIATE");
        const result = await work(this.#db);
        this.sqlite.run("COMMIT");
        return result;
      } catch (error) {
        if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
        throw translate(error);
      }
    });
  }

  /** The same as `write`: there is one connection. */
  writeGuarded<T>(work: Work<T>): Promise<T> {
    return this.write(work);
  }

  /** @throws TorusError `storage_full` as `write` */
  readOne<T>(work: Work<T>): Promise<T> {
    return this.read(work);
  }

  /** @throws TorusError `storage_full` as `write` */
  read<T>(work: Work<T>): Promise<T> {
    return this.#lock.run(async () => {
      try {
        return await work(this.#db);
      } catch (error) {
        throw translate(error);
      }
    });
  }
}

function translate(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = String((cause as { code?: unknown }).code ?? "");
    if (!/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) continue;
    const reason =
      code === "SQLITE_FULL" ? "the disk is full" : `the data directory cannot be used (${code})`;
    return new TorusError(
      "storage_full",
      `${reason}: nothing was changed; make room or repair it, then try again`,
    );
  }
  return error;
}
