// Cache of rows between writes: readers name the tables they read, writers the tables they change.
//
// A cached answer is never older than the database:
// 1. `readCached` answers from memory, or reads and keeps the answer under its kind and key.
// 2. `tablesOf` lists the tables that the answers of each kind are read from.
// 3. Every `write` ends by dropping the kinds that read one of the tables in its `changes`, committed or not. Without
//    `changes` it drops everything: a missing argument costs speed, never correctness.
// Answers are frozen copies, shared by all callers: views and their JSON can be cached by the identity of a row.

/** Partition of the cache; kind and key together identify one query. */
type CachedKind = "bucket" | "job" | "jobs" | "live" | "model" | "models";
export type CachedTable = "buckets" | "jobs" | "live" | "models" | "versions";

const tablesOf: Readonly<Record<CachedKind, readonly CachedTable[]>> = {
  bucket: ["buckets"],
  job: ["jobs"],
  jobs: ["jobs"],
  live: ["live"],
  model: ["models", "versions", "jobs"],
  models: ["models", "versions", "jobs"],
};

/** Beyond, the whole cache is dropped. */
const MAX_ROWS = 20_000;

interface Partition {
  readonly answers: Map<string, unknown>;
  rows: number;
}

export class RowCache {
  readonly #partitions = new Map<CachedKind, Partition>();

  /** @returns undefined where nothing is cached */
  get(kind: CachedKind, key: string): unknown {
    return this.#partitions.get(kind)?.answers.get(key);
  }

  /** Caches a row or a list of rows. @returns the answer from now on: a frozen copy */
  put<T>(kind: CachedKind, key: string, answer: T): T {
    const rows = Array.isArray(answer) ? answer.length + 1 : 1;
    if (rows > MAX_ROWS) return answer;
    if (this.#countRows() + rows > MAX_ROWS) this.#partitions.clear();
    const partition = this.#partitions.get(kind) ?? { answers: new Map(), rows: 0 };
    this.#partitions.set(kind, partition);
    const kept = freezeCopy(answer);
    partition.answers.set(key, kept);
    partition.rows += rows;
    return kept;
  }

  /** Drops what was read from these tables. @param changes absent: everything */
  invalidate(changes?: readonly CachedTable[]): void {
    for (const kind of this.#partitions.keys())
      if (!changes || tablesOf[kind].some((table) => changes.includes(table))) this.#partitions.delete(kind);
  }

  #countRows(): number {
    let rows = 0;
    for (const partition of this.#partitions.values()) rows += partition.rows;
    return rows;
  }
}

interface CachedQuery<T> {
  readonly kind: CachedKind;
  readonly key: string;
  /** Reads the database; undefined where there is no such row, which is not cached. */
  readonly read: () => T;
  /** Whether an answer may stay in memory; default: yes. */
  readonly isSmall?: (answer: T) => boolean;
}

/** Answers a query from the cache, or from the database. @returns an object that all callers share */
export function readCached<T>(
  { rowCache }: { readonly rowCache: RowCache },
  { kind, key, read, isSmall = () => true }: CachedQuery<T>,
): T {
  const known = rowCache.get(kind, key);
  if (known !== undefined) return known as T;
  const answer = read();
  return answer !== undefined && isSmall(answer) ? rowCache.put(kind, key, answer) : answer;
}

/**
 * A copy, frozen at any depth: its parts lie together in memory, apart from what reading the rows has left behind.
 * Arrays are not frozen, because `JSON.stringify` writes frozen ones slowly.
 */
function freezeCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(freezeCopy) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const [name, inner] of Object.entries(copy))
    if (typeof inner === "object") copy[name] = freezeCopy(inner);
  return Object.freeze(copy) as T;
}
