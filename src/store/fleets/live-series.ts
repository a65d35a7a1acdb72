// SQL of live series: changed with the evaluation of their fleet, loaded in pages when live detection starts.
import { and, asc, eq, gt, sql } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import type { ScoredRun } from "../../core/series/score-run.ts";
import { recordScores } from "../anomalies/scores.ts";
import type { Db } from "../db/database.ts";
import { mapPipelined } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { readInPages } from "../db/pages.ts";
import { prepareOnce } from "../db/prepared.ts";
import { liveSeries, liveSeriesMemories, liveSeriesStates } from "../db/schema.ts";
import { read, type Tx } from "../db/transaction.ts";
import { FAST_LEVEL, packJson, unpackJson } from "./packed-json.ts";

/** Series unpacked at once: some 10 ms. */
const PAGE_ROWS = 128;

export type LiveSeriesRow = Omit<typeof liveSeries.$inferSelect, "model">;

/** JSON, owned by src/live. */
type Stored = Readonly<Record<string, unknown>>;

/** A series after an evaluation. */
export interface SeriesUpdate extends LiveSeriesRow {
  /** State machine and anomaly; absent: as before. */
  readonly state?: Stored;
  /** Large, so that few series of an evaluation should have one; absent: as before. */
  readonly memory?: Stored;
  /** Absent: scores are not kept. */
  readonly scores?: ScoredRun | undefined;
}

export type SeriesChange = SeriesUpdate | { readonly key: string; readonly gone: true };

/** Applies the changes of an evaluation to the series of a live model; within its transaction. */
export async function applySeriesChanges(
  tx: Tx,
  model: string,
  changes: readonly SeriesChange[],
): Promise<void> {
  await mapPipelined(changes, (change) => applyChange(tx, model, change));
}

async function applyChange(tx: Tx, model: string, change: SeriesChange): Promise<void> {
  const { key } = change;
  if ("gone" in change) {
    for (const remove of removals) await prepareOnce(tx, remove).run({ model, key });
    return;
  }
  const { state, memory, scores, ...row } = change;
  await prepareOnce(tx, upsertRow).run({ model, ...row });
  if (state) await prepareOnce(tx, upsertState).run({ model, key, state });
  if (scores) await recordScores(tx, { model, series: key }, scores);
  if (!memory) return;
  const packed = packJson(memory, FAST_LEVEL);
  await prepareOnce(tx, upsertMemory).run({ model, key, windowAt: row.windowAt, memory: packed });
}

/** Forgets the series of a model, whose detection has ended. */
export async function removeLiveSeries(tx: Tx, model: string): Promise<void> {
  for (const table of tables) await tx.delete(table).where(eq(table.model, model)).run();
}

/** A series as live detection goes on with it. */
export interface LoadedSeries extends LiveSeriesRow {
  readonly state?: Stored;
  readonly memory?: Stored;
  /** End of the window after which the memory was written, ms. */
  readonly memoryAt?: number;
}

/**
 * The series of a live model, by key, in pages; other work runs between two pages.
 * @throws TorusError `internal` naming a series whose memory is damaged
 */
export function loadLiveSeries(store: Store, model: string): AsyncGenerator<readonly LoadedSeries[]> {
  return readInPages({
    size: PAGE_ROWS,
    readBeyond: (after = "") =>
      read(store, async (db) => (await prepareOnce(db, selectPage).all({ model, after })).map(toLoaded)),
    keyOf: ({ key }) => key,
  });
}

/** One series of a live model. @throws TorusError `internal` where its memory is damaged */
export function findLiveSeries(store: Store, model: string, key: string): Promise<LoadedSeries | undefined> {
  return read(store, async (db) => {
    const row = await joinedSeries(db)
      .where(and(eq(liveSeries.model, model), eq(liveSeries.key, key)))
      .get();
    return row && toLoaded(row);
  });
}

/** A series with something in progress. */
export interface OngoingSeries {
  readonly tags: LiveSeriesRow["tags"];
  readonly state: Stored;
}

/** The series of a live model with an anomaly or a condition in progress, by key. */
export function listOngoingSeries(store: Store, model: string): Promise<ReadonlyMap<string, OngoingSeries>> {
  const { key, state } = liveSeriesStates;
  const isSame = and(eq(liveSeries.model, liveSeriesStates.model), eq(liveSeries.key, key));
  const isOngoing = sql`(json_extract(${state}, '$.episode') is not null or json_extract(${state}, '$.conditions') is not null)`;
  return read(store, async (db) => {
    const rows = await db
      .select({ key, state, tags: liveSeries.tags })
      .from(liveSeriesStates)
      .innerJoin(liveSeries, isSame)
      .where(and(eq(liveSeriesStates.model, model), isOngoing))
      .orderBy(asc(key))
      .all();
    return new Map(rows.map(({ key: name, ...row }) => [name, row]));
  });
}

type PageRow = Awaited<ReturnType<ReturnType<typeof selectPage>["all"]>>[number];

function toLoaded({ series: { model, ...row }, state, memory, memoryAt }: PageRow): LoadedSeries {
  try {
    // A copy: the type of the driver leaves the memory open.
    const unpacked = memory && { memory: unpackJson(new Uint8Array(memory)) };
    return { ...row, ...(state && { state }), ...unpacked, ...(memoryAt !== null && { memoryAt }) };
  } catch {
    const place = `series ${row.key.slice(0, 256)} of model ${model}`;
    throw new TorusError("internal", `the memory of ${place} is damaged: stop the model and start it again`);
  }
}

const tables = [liveSeries, liveSeriesStates, liveSeriesMemories] as const;
const { placeholder } = sql;
const to = <T>(name: string) => placeholder(name) as unknown as T;

const removals = tables.map((table) => (db: Db) => {
  const isThis = and(eq(table.model, placeholder("model")), eq(table.key, placeholder("key")));
  return db.delete(table).where(isThis).prepare();
});

const upsertRow = (db: Db) => {
  const values = {
    status: to<LiveSeriesRow["status"]>("status"),
    score: to<number>("score"),
    firstSeenAt: to<number>("firstSeenAt"),
    newestAt: to<number>("newestAt"),
    windowAt: to<number>("windowAt"),
    tags: to<LiveSeriesRow["tags"]>("tags"),
    last: to<NonNullable<LiveSeriesRow["last"]>>("last"),
  };
  return db
    .insert(liveSeries)
    .values({ model: placeholder("model"), key: placeholder("key"), ...values })
    .onConflictDoUpdate({ target: [liveSeries.model, liveSeries.key], set: values })
    .prepare();
};

const upsertState = (db: Db) => {
  const values = { state: to<Stored>("state") };
  return db
    .insert(liveSeriesStates)
    .values({ model: placeholder("model"), key: placeholder("key"), ...values })
    .onConflictDoUpdate({ target: [liveSeriesStates.model, liveSeriesStates.key], set: values })
    .prepare();
};

const upsertMemory = (db: Db) => {
  const values = { windowAt: to<number>("windowAt"), memory: to<Buffer>("memory") };
  return db
    .insert(liveSeriesMemories)
    .values({ model: placeholder("model"), key: placeholder("key"), ...values })
    .onConflictDoUpdate({ target: [liveSeriesMemories.model, liveSeriesMemories.key], set: values })
    .prepare();
};

/** Not prepared: conditions are added. */
const joinedSeries = (db: Pick<Db, "select">) => {
  const isSame = (table: typeof liveSeriesStates | typeof liveSeriesMemories) =>
    and(eq(table.model, liveSeries.model), eq(table.key, liveSeries.key));
  return db
    .select({
      series: liveSeries,
      state: liveSeriesStates.state,
      memory: liveSeriesMemories.memory,
      memoryAt: liveSeriesMemories.windowAt,
    })
    .from(liveSeries)
    .leftJoin(liveSeriesStates, isSame(liveSeriesStates))
    .leftJoin(liveSeriesMemories, isSame(liveSeriesMemories));
};

const selectPage = (db: Db) =>
  joinedSeries(db)
    .where(and(eq(liveSeries.model, placeholder("model")), gt(liveSeries.key, placeholder("after"))))
    .orderBy(asc(liveSeries.key))
    .limit(PAGE_ROWS)
    .prepare();
