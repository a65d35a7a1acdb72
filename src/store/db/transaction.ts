// Transactions of the database: synchronous, all or nothing; reads see committed rows only.
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Change } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import type { CachedTable } from "./cached-query.ts";
import type { Store } from "./open.ts";

/** An open transaction. */
export type Tx = Parameters<Parameters<BunSQLiteDatabase["transaction"]>[0]>[0];

const announced = new WeakMap<Tx, Change[]>();

/** Announces a change: listeners of the store get it after the commit, and never if the transaction fails. */
export function announce(tx: Tx, change: Change): void {
  const changes = announced.get(tx);
  if (changes) changes.push(change);
  else announced.set(tx, [change]);
}

/** A promise would outlive the transaction: such a callback does not compile. */
type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

interface WriteOptions {
  /** Cached tables that `work` changes, also by cascades, see cached-query.ts; absent: perhaps all. */
  readonly changes?: readonly CachedTable[];
}

/**
 * Runs `work` in one transaction that holds the write lock from its start; a throw undoes all of it.
 * @throws TorusError `storage_full` where the disk is full or fails
 */
export async function write<T>(
  store: Store,
  work: (tx: Tx) => NotPromise<T>,
  { changes }: WriteOptions = {},
): Promise<T> {
  let own: Tx | undefined;
  const run = (tx: Tx) => {
    own = tx;
    return work(tx);
  };
  let result: T;
  try {
    result = store.db.transaction(run, { behavior: "immediate" }) as T;
  } catch (error) {
    throw translate(error);
  } finally {
    // After the end, because what was read within may have been undone.
    store.rowCache.invalidate(changes);
  }
  store.changes.publish((own && announced.get(own)) ?? []);
  return result;
}

/** As `write`, of a transaction that changes no cached table. */
export function writeUncached<T>(store: Store, work: (tx: Tx) => NotPromise<T>): Promise<T> {
  return write(store, work, { changes: [] });
}

/** Runs `work` on what is committed. @throws TorusError `storage_full` as `write` */
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
