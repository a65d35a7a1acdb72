// Transactions of the verbs: all or nothing, one after the other; changes are published after the commit.
import type { Change } from "../../core/change.ts";
import type { CachedTable } from "./cached-query.ts";
import type { Db } from "./database.ts";
import type { Work } from "./engine.ts";
import type { Store } from "./open.ts";

/** An open transaction. */
export type Tx = Db;

/** Something that other nodes hold in memory and that has no `Change` for clients. */
export type Signal =
  | { readonly topic: "tokens" }
  /** Some were given away. */
  | { readonly topic: "shards" }
  /** @param name absent: any */
  | { readonly topic: "scheduled_jobs"; readonly name?: string };

const announced = new WeakMap<Tx, Change[]>();
const signaled = new WeakMap<Tx, Signal[]>();

/** Announces a change: listeners of the store get it after the commit, and never if the transaction fails. */
export function announce(tx: Tx, change: Change): void {
  const changes = announced.get(tx);
  if (changes) changes.push(change);
  else announced.set(tx, [change]);
}

/** Signals other nodes to read something again, after the commit. */
export function signal(tx: Tx, topic: Signal): void {
  const signals = signaled.get(tx);
  if (signals) signals.push(topic);
  else signaled.set(tx, [topic]);
}

/** Changes and signals of an open transaction, for other nodes. */
export function outgoingOf(tx: Tx): {
  readonly changes: readonly Change[];
  readonly signals: readonly Signal[];
} {
  return { changes: announced.get(tx) ?? [], signals: signaled.get(tx) ?? [] };
}

interface WriteOptions {
  /** Cached tables that `work` changes, also by cascades, see cached-query.ts; absent: perhaps all. */
  readonly changes?: readonly CachedTable[];
}

/**
 * Runs `work` in one transaction; a throw undoes all of it.
 * @throws TorusError `storage_full` where the disk is full or fails
 */
export function write<T>(store: Store, work: Work<T>, options: WriteOptions = {}): Promise<T> {
  return publishAfter(store, (run) => store.engine.write(run), { work, ...options });
}

/**
 * As `write`, of work that first changes the row whose old state it was computed from, and nothing where that is not as
 * expected: further statements concern what this row guards. Beside it other transactions see what is committed.
 */
export function writeGuarded<T>(store: Store, work: Work<T>, options: WriteOptions = {}): Promise<T> {
  return publishAfter(store, (run) => store.engine.writeGuarded(run), { work, ...options });
}

async function publishAfter<T>(
  store: Store,
  write: (run: Work<T>) => Promise<T>,
  { work, changes }: WriteOptions & { readonly work: Work<T> },
): Promise<T> {
  let published: readonly Change[] = [];
  const run = async (tx: Tx) => {
    // Left by a transaction of the same connection that failed.
    announced.delete(tx);
    signaled.delete(tx);
    const result = await work(tx);
    published = announced.get(tx) ?? [];
    return result;
  };
  try {
    return await write(run);
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
