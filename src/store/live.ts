// SQL of live models: options, progress and state; start and stop.
import { eq, inArray, sql } from "drizzle-orm";
import { type ErrorCode, TorusError } from "../core/errors.ts";
import { closeOpenEpisodes, type EpisodeRow } from "./anomalies/episodes.ts";
import { enqueueEvents, type PlannedEvent } from "./anomalies/outbox.ts";
import { readCached } from "./db/cached-query.ts";
import type { Db } from "./db/database.ts";
import { mapInOrder } from "./db/in-order.ts";
import { KeyedQuery } from "./db/keyed-query.ts";
import type { Store } from "./db/open.ts";
import { prepareOnce } from "./db/prepared.ts";
import { EVALUATIONS_KEPT, evaluations, live, models } from "./db/schema.ts";
import { inShards } from "./db/shards.ts";
import { announce, read, type Tx, write } from "./db/transaction.ts";
import { removeLiveSeries } from "./fleets/live-series.ts";
import { requireModel } from "./models.ts";

/** Options of a start. */
export interface LiveOptions {
  /** Whether anomalies are detected and hooks notified. */
  readonly detect: boolean;
  /** Output bucket of predictions and observed values. */
  readonly save?: { readonly bucket: string };
}

/** JSON, owned by src/live. */
export interface StoredState {
  /** UUID of one life from start to stop; evaluations of another life are dropped. */
  readonly run: string;
  /** Interval that `lastSlot` counts in, ms; absent until there is one. */
  readonly intervalMs?: number;
  readonly [key: string]: unknown;
}

/** The last failed write to the output bucket. */
export interface OutputProblem {
  readonly code: ErrorCode;
  readonly message: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Predictions dropped since the model was started, or since the start of the server if writes worked then. */
  readonly dropped: number;
}

type Columns = typeof live.$inferSelect;
export interface LiveRow extends Omit<Columns, "options" | "state" | "lastErrorCode" | "outputError"> {
  readonly options: LiveOptions;
  readonly state: StoredState;
  readonly lastErrorCode: ErrorCode | null;
  /** Null: the last write worked, or there was none. */
  readonly outputError: OutputProblem | null;
}

/** How anomalies in progress are closed when detection ends. */
export interface Ending {
  readonly reason: string;
  /** The end event for hooks; undefined: none. */
  readonly describe: (row: LiveRow, episode: EpisodeRow) => PlannedEvent | undefined;
  /** End events of silence and the like, where live detection stops. Default: none. */
  readonly describeConditions?: (row: LiveRow) => readonly PlannedEvent[];
}

export interface LiveStart {
  readonly model: string;
  readonly options: LiveOptions;
  /** Whether the model may be without a version. */
  readonly untrained?: boolean;
  /** Initial state, of a first start. */
  readonly state: StoredState;
}

/**
 * Starts models, all or none. A live one goes on with the new options; where they end detection, its anomaly in progress
 * is closed.
 * @throws TorusError `not_found`, `not_trained`
 */
export function startLive(
  store: Store,
  starts: readonly LiveStart[],
  { at, ending }: { at: number; ending: Ending },
): Promise<void> {
  return write(store, async (tx) => {
    for (const { model, options, state, untrained = false } of starts) {
      if ((await requireModel(tx, model)).activeVersion === null && !untrained) throw notTrained(model);
      const old = await findLive(tx, model);
      const kept = { options: { ...options }, state: { ...state } };
      if (!old)
        await tx
          .insert(live)
          .values({ model, startedAt: at, ...kept })
          .run();
      else if (old.options.detect && !options.detect) {
        await closeEpisodes(tx, old, { at, ending });
        await removeLiveSeries(tx, model);
        const { intervalMs } = old.state;
        Object.assign(kept.state, intervalMs !== undefined && { intervalMs });
        await updateLive(tx, old, { ...kept, outputError: null });
      } else if (!Bun.deepEquals(old.options, kept.options))
        await updateLive(tx, old, { options: kept.options, ...(!options.save && { outputError: null }) });
      announce(tx, { type: "model", model, step: "started" });
    }
  });
}

/**
 * Makes an evaluation under way stale. The revision advances by a whole round of the ring of evaluations, so that the
 * next one replaces the oldest.
 */
async function updateLive(
  tx: Tx,
  { model, rev }: LiveRow,
  values: Partial<Pick<Columns, "options" | "state" | "outputError">>,
): Promise<void> {
  await tx
    .update(live)
    .set({ ...values, rev: rev + EVALUATIONS_KEPT })
    .where(eq(live.model, model))
    .run();
}

/** How models are stopped. */
export interface LiveStop {
  readonly at: number;
  readonly ending: Ending;
  /** Whether a model that is not live is an error; otherwise it is skipped. */
  readonly strict: boolean;
}

/**
 * Stops models, all or none, and closes their anomalies in progress.
 * @returns the models that were live
 * @throws TorusError `not_found` naming the first that is not live
 */
export function stopLive(store: Store, models: readonly string[], stop: LiveStop): Promise<string[]> {
  return write(store, (tx) => endLive(tx, models, stop));
}

/** As `stopLive`, inside a transaction of the store. */
export async function endLive(
  tx: Tx,
  models: readonly string[],
  { at, ending, strict }: LiveStop,
): Promise<string[]> {
  const rows = await mapInOrder(new Set(models), async (model) => {
    const row = await findLive(tx, model);
    if (row || !strict) return row;
    await requireModel(tx, model);
    throw new TorusError("not_found", `model ${model} is not started`);
  });
  const found = rows.filter((row) => row !== undefined);
  for (const row of found) {
    await closeEpisodes(tx, row, { at, ending });
    await enqueueEvents(tx, ending.describeConditions?.(row) ?? [], at);
    await tx.delete(live).where(eq(live.model, row.model)).run();
    await tx.delete(evaluations).where(eq(evaluations.model, row.model)).run();
    announce(tx, { type: "model", model: row.model, step: "stopped" });
  }
  return found.map(({ model }) => model);
}

/** Stores problems of output buckets by model, null where there is none any more; models that are not live are skipped. */
export function saveOutputProblems(
  store: Store,
  problems: ReadonlyMap<string, OutputProblem | null>,
): Promise<void> {
  const save = async (tx: Tx) => {
    for (const [model, problem] of problems)
      await tx
        .update(live)
        .set({ outputError: problem && { ...problem } })
        .where(eq(live.model, model))
        .run();
  };
  return write(store, save, { changes: ["live"] });
}

async function closeEpisodes(
  tx: Tx,
  row: LiveRow,
  { at, ending }: { at: number; ending: Ending },
): Promise<void> {
  for (const episode of await closeOpenEpisodes(tx, row.model, { at, closedBy: ending.reason })) {
    const planned = ending.describe(row, episode);
    if (planned) await enqueueEvents(tx, [planned], at);
  }
}

/** Live models, by name. @param shards those of a node; undefined: all */
export function listLive(store: Store, shards?: readonly number[]): Promise<LiveRow[]> {
  return read(store, async (db) =>
    (await db.select().from(live).where(inShards(live, shards)).orderBy(live.model).all()).map(toLive),
  );
}

/** Whether any model is live. */
export function hasLive(store: Store): Promise<boolean> {
  return read(
    store,
    async (db) => (await db.select({ model: live.model }).from(live).limit(1).all()).length > 0,
  );
}

/** Those of some models that are live, by name. @param names some hundreds at most */
export function listLiveOf(store: Store, names: readonly string[]): Promise<LiveRow[]> {
  return read(store, async (db) =>
    (
      await db
        .select()
        .from(live)
        .where(inArray(live.model, [...names]))
        .orderBy(live.model)
        .all()
    ).map(toLive),
  );
}

/** Options of all live models, by name: without their states, which take most of the time. */
export function listLiveOptions(store: Store): Promise<Pick<LiveRow, "model" | "options">[]> {
  const { model, options } = live;
  return read(store, async (db) => {
    const rows = await db.select({ model, options }).from(live).orderBy(model).all();
    return rows as unknown as Pick<LiveRow, "model" | "options">[];
  });
}

/** @returns undefined where the model is not live */
export async function loadLive(store: Store, model: string): Promise<LiveRow | undefined> {
  return (await readCached(store, { kind: "live", key: model, read: liveByModel })) ?? undefined;
}

const liveByModel = new KeyedQuery({
  prepare: (db, names) => db.select().from(live).where(inArray(live.model, names)).prepare(),
  keyOf: (row) => row.model,
  // Null where it is not live, so that this is cached too.
  toValue: (row) => (row ? toLive(row) : null),
});

/** A live model to evaluate, and the revision of its settings. */
interface DueRow {
  readonly row: LiveRow;
  /** Changes with the settings and the active version. */
  readonly revision: string;
}

/** As `loadLive`, uncached: the loop writes to each row before it reads it again. */
export function loadDue(store: Store, model: string): Promise<DueRow | undefined> {
  return dueByModel.read(store.engine, model);
}

const dueByModel = new KeyedQuery({
  prepare: (db, names) =>
    db
      .select({ row: live, createdAt: models.createdAt, generation: models.generation })
      .from(live)
      .innerJoin(models, eq(models.name, live.model))
      .where(inArray(live.model, names))
      .prepare(),
  keyOf: ({ row }) => row.model,
  toValue: (found): DueRow | undefined => {
    if (!found) return undefined;
    const row = toLive(found.row);
    return { row, revision: `${row.state.run} ${found.createdAt} ${found.generation}` };
  },
});

const selectByName = (db: Db) =>
  db
    .select()
    .from(live)
    .where(eq(live.model, sql.placeholder("model")))
    .prepare();

/** The row; sees an open transaction, since there is one connection. */
export async function findLive(db: Db, model: string): Promise<LiveRow | undefined> {
  const row = await prepareOnce(db, selectByName).get({ model });
  return row && toLive(row);
}

/** The columns of JSON were written from the same types. */
function toLive(row: Columns): LiveRow {
  return row as unknown as LiveRow;
}

/** The error for a start without a version. */
export function notTrained(model: string): TorusError {
  const way = "train it first, or set its detector to auto, which learns while it is live";
  return new TorusError("not_trained", `model ${model} is not trained: ${way}`);
}
