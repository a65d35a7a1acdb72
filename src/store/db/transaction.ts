// Transactions of the verbs: all or nothing, one after the other; changes are published after the commit.
import type { Change } from "../../core/change.ts";
import type { CachedTable } from "./cached-query.ts";
import type { Db } from "./database.ts";
import type { Work } from "./engine.ts";
import type { Store } from "./open.ts";

/** An open transaction. */
export type Tx = Db;

const announced = new WeakMap<Tx, Change[]>();

/** Announces a change: listeners of the store get it after the commit, and never if the transaction fails. */
export function announce(tx: Tx, change: Change): void {
  const changes = announced.get(tx);
  if (changes) changes.push(change);
  else announced.set(tx, [change]);
}

interface WriteOptions {
  /** Cached tables that `work` changes, also by cascades, see cached-query.ts; absent: perhaps all. */
  readonly changes?: readonly CachedTable[];
}

/**
 * Runs `work` in one transaction; a throw undoes all of it.
 * @throws TorusError `storage_full` where the disk is full or fails
 */
export async function write<T>(store: Store, work: Work<T>, { changes }: WriteOptions = {}): Promise<T> {
  let published: readonly Change[] = [];
  const run = async (tx: Tx) => {
    // Left by a transaction of the same connection that failed.
    announced.delete(tx);
    const result = await work(tx);
    published = announced.get(tx) ?? [];
    return result;
  };
  try {
    return await store.engine.write(run);
  } catch (error) {
    published = [];
    throw error;
  } finally {
    // After the end, because what was read within may have been undone.
    store.rowCache.invalidate(changes);
    store.changes.publish(published);
  }
}

/** As `write`, of a transaction that changes no cached table. */
export function writeUncached<T>(store: Store, work: Work<T>): Promise<T> {
  return write(store, work, { changes: [] });
}

/** Runs `work` on what is committed. @throws TorusError `storage_full` as `write` */
export function read<T>(store: Store, work: Work<T>): Promise<T> {
  return store.engine.read(work);
}
