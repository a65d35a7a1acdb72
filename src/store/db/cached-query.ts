// Cached queries, and the tables their answers are read from: `write` drops answers by the tables it changes.
import { RowCache } from "../../runtime/row-cache.ts";
import type { Engine, Work } from "./engine.ts";
import type { KeyedQuery } from "./keyed-query.ts";

type CachedKind = "bucket" | "calendar" | "job" | "jobs" | "live" | "model" | "models";
export type CachedTable = "buckets" | "calendars" | "jobs" | "live" | "models" | "versions";
export type StoreCache = RowCache<CachedKind, CachedTable>;

const tablesOf: Readonly<Record<CachedKind, readonly CachedTable[]>> = {
  bucket: ["buckets"],
  calendar: ["calendars"],
  job: ["jobs"],
  jobs: ["jobs"],
  live: ["live"],
  model: ["models", "versions", "jobs"],
  models: ["models", "versions", "jobs"],
};

/** The row cache of a store. */
export function createStoreCache(): StoreCache {
  return new RowCache(tablesOf);
}

/**
 * The row cache of a store that nodes share: rows are read anew for every answer, but for calendars, which are long, which
 * evaluations read, and whose changes are heard of soon.
 */
export function createSharedCache(): StoreCache {
  return new RowCache(tablesOf, (kind) => kind === "calendar");
}

interface CachedQuery<T> {
  readonly kind: CachedKind;
  readonly key: string;
  /** One statement, or the query that has the row by its key. Undefined where there is none, which is not cached. */
  readonly read: Work<T> | Pick<KeyedQuery<unknown, T>, "read">;
  /** Whether an answer may stay in memory; default: yes. */
  readonly isSmall?: (answer: T) => boolean;
}

/** Answers a query from memory, or from the database. @returns an object that all callers share */
export async function readCached<T>(
  { engine, rowCache }: { readonly engine: Engine; readonly rowCache: StoreCache },
  { kind, key, read, isSmall = () => true }: CachedQuery<T>,
): Promise<T> {
  const known = rowCache.get(kind, key);
  if (known !== undefined) return known as T;
  const epoch = rowCache.epochOf(kind);
  const answer = await (typeof read === "function" ? engine.readOne(read) : read.read(engine, key));
  // A write may have ended since the question began.
  const isCurrent = epoch === rowCache.epochOf(kind);
  return answer !== undefined && isCurrent && isSmall(answer) ? rowCache.put(kind, key, answer) : answer;
}
