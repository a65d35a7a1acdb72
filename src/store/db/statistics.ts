// SQL of operations: row counts for metrics, and a write probe for readiness.
import { count, eq, isNull, sql } from "drizzle-orm";
import type { JobState, JobType } from "../../core/job.ts";
import type { Store } from "./open.ts";
import { countOf } from "./pages.ts";
import { buckets, episodes, jobs, live, meta, models, outbox } from "./schema.ts";
import { read, writeUncached } from "./transaction.ts";

export interface StoreStatistics {
  readonly jobs: readonly { readonly type: JobType; readonly state: JobState; readonly count: number }[];
  readonly models: number;
  readonly buckets: number;
  readonly live: number;
  /** Anomalies in progress. */
  readonly anomalies: number;
  /** Waiting deliveries. */
  readonly outbox: number;
}

/** Counts rows, all at one moment. */
export function countRows(store: Store): Promise<StoreStatistics> {
  return read(store, async (db) => {
    const { type, state } = jobs;
    return {
      jobs: await db.select({ type, state, count: count() }).from(jobs).groupBy(type, state).all(),
      models: await countOf(db, models),
      buckets: await countOf(db, buckets),
      live: await countOf(db, live),
      anomalies: await countOf(db, episodes, isNull(episodes.endAt)),
      outbox: await countOf(db, outbox, eq(outbox.state, "waiting")),
    };
  });
}

/** Commits a write; the beats of a node that shares the database do. @throws TorusError `storage_full` where that fails */
export async function probeWrite(store: Store, at: number): Promise<void> {
  if (store.engine.isShared) return void (await read(store, (db) => db.get(sql`select 1`)));
  const row = { key: "probed_at", value: String(at) };
  return writeUncached(store, async (tx) => {
    await tx
      .insert(meta)
      .values(row)
      .onConflictDoUpdate({ target: meta.key, set: { value: row.value } })
      .run();
  });
}
