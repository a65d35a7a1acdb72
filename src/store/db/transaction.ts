// The two ways into the database: one synchronous transaction that is all or nothing, or a read.
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { TorusError } from "../../core/errors.ts";
import type { Store } from "./open.ts";
import type { RecallKind } from "./row-cache.ts";

/** What a verb works on inside of a transaction. */
export type Tx = Parameters<Parameters<BunSQLiteDatabase["transaction"]>[0]>[0];

/** A promise would leave the transaction before its work is done; such a callback does not compile. */
type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs `work` in one transaction that holds the write lock from its start; a throw undoes all of it.
 * @param forgets what it touches of all that is remembered; absent: perhaps everything. Detection writes all the time, and
 *   what is asked for all the time must not go with it
 * @throws TorusError `storage_full` where the disk is full or fails
 */
export async function write<T>(
  store: Store,
  work: (tx: Tx) => NotPromise<T>,
  { forgets: invalidates }: { readonly forgets?: readonly RecallKind[] } = {},
): Promise<T> {
  try {
    return store.db.transaction(work, { behavior: "immediate" }) as T;
  } catch (error) {
    throw translate(error);
  } finally {
    // After the end: what was read within may have been undone.
    store.recall.forget(invalidates);
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
