// The two ways into the database: one synchronous transaction that is all or nothing, or a read.
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { TorusError } from "../core/errors.ts";
import type { Store } from "./open.ts";

/** What a verb works on inside of a transaction. */
export type Tx = Parameters<Parameters<BunSQLiteDatabase["transaction"]>[0]>[0];

/** A promise would leave the transaction before its work is done; such a callback does not compile. */
type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs `work` in one transaction that holds the write lock from its start; a throw undoes all of it.
 * @throws TorusError `storage_full` where the disk is
 */
export async function write<T>(store: Store, work: (tx: Tx) => NotPromise<T>): Promise<T> {
  try {
    return store.db.transaction(work, { behavior: "immediate" }) as T;
  } catch (error) {
    throw translate(error);
  }
}

/** Runs `work` on what is committed. */
export async function read<T>(store: Store, work: (db: BunSQLiteDatabase) => NotPromise<T>): Promise<T> {
  try {
    return work(store.db) as T;
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (code === "SQLITE_FULL" || code === "ENOSPC")
      return new TorusError(
        "storage_full",
        "the disk is full: nothing was changed; free some space and try again",
      );
  }
  return error;
}
