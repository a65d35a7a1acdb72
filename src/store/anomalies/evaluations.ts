// SQL of evaluations: each recorded in one transaction with the state, its episodes and its events.
import { and, desc, eq, sql } from "drizzle-orm";
import type { ErrorCode } from "../../core/errors.ts";
import type { ScoredRun } from "../../core/series/score-run.ts";
import type { Db } from "../db/database.ts";
import { mapPipelined } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { EVALUATIONS_KEPT, evaluations, live } from "../db/schema.ts";
import { announce, type Tx, writeGuarded } from "../db/transaction.ts";
import { applySeriesChanges, type SeriesChange } from "../fleets/live-series.ts";
import type { LiveRow, StoredState } from "../live.ts";
import { changeEpisodes, type EpisodeChange } from "./episodes.ts";
import { enqueueEvents, type PlannedEvent } from "./outbox.ts";
import { recordScores } from "./scores.ts";

/** Of the cached tables, an evaluation changes only this one. */
const changes = ["live"] as const;

export type EvaluationRow = typeof evaluations.$inferSelect;

/** The last evaluations of a model, newest first. */
export function listEvaluations(store: Store, model: string): Promise<EvaluationRow[]> {
  return store.engine.readOne((db) => prepareOnce(db, selectEvaluations).all({ model }));
}

function selectEvaluations(db: Db) {
  return db
    .select()
    .from(evaluations)
    .where(eq(evaluations.model, sql.placeholder("model")))
    .orderBy(desc(evaluations.rev))
    .prepare();
}

interface EvaluationBasics {
  readonly model: string;
  /** The live row as it was loaded: if it has another revision or run by now, nothing is recorded. */
  readonly before: Pick<LiveRow, "rev" | "state">;
  readonly slot: number;
  /** Interval that `slot` counts in, ms. */
  readonly intervalMs: number;
  /** End (exclusive) of the window, ms since the epoch. */
  readonly windowAt: number;
  readonly evaluatedAt: number;
  readonly durationMs: number;
  /** Slots skipped before this one. */
  readonly missed: number;
}

export interface EvaluationRecord extends EvaluationBasics {
  /** `learning`: the model has no version yet, points were counted. */
  readonly outcome: "ok" | "no_data" | "learning";
  readonly score: number | null;
  readonly state: StoredState;
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
  /** Absent: scores are not kept. */
  readonly scores?: ScoredRun | undefined;
  /** Of a fleet: its series. */
  readonly series?: readonly SeriesChange[] | undefined;
}

/**
 * Records an evaluation: the new state, its episodes and its events, all or nothing.
 * @returns false where it is refused, because the model was stopped, deleted, evaluated or given other options since:
 * nothing has changed
 */
export function recordEvaluation(store: Store, record: EvaluationRecord): Promise<boolean> {
  return recordAll(store, [record]).then(([isRecorded]) => isRecorded!);
}

interface Failure extends EvaluationBasics {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export interface FailureRecord extends Failure {
  readonly outcome: "failed";
}

/** Records a failed evaluation: the state does not change. @returns as `recordEvaluation` */
export function recordFailure(store: Store, record: Failure): Promise<boolean> {
  return recordAll(store, [{ ...record, outcome: "failed" }]).then(([isRecorded]) => isRecorded!);
}

/**
 * Records many in one transaction, all or none: a group commit, since each commit waits for the disk.
 * @returns per record, as `recordEvaluation`
 */
export function recordAll(store: Store, records: readonly AnyRecord[]): Promise<boolean[]> {
  return writeGuarded(store, (tx) => insertAll(tx, records), { changes });
}

type AnyRecord = EvaluationRecord | FailureRecord;

/**
 * All rows that a record changes are of its model, which the live row guards. Hooks may change beside it: an event goes to
 * those that were there a moment before.
 */
async function insertAll(tx: Tx, records: readonly AnyRecord[]): Promise<boolean[]> {
  const areCurrent = await mapPipelined(records, (record) => advance(tx, record));
  const current = records.filter((_, i) => areCurrent[i]);
  await mapPipelined(current, (record) => insertRows(tx, record));
  for (const record of current) if (record.outcome !== "failed") await insertOutcome(tx, record);
  return areCurrent;
}

/** Changes the live row. @returns false where it is not the one that the record is based on */
async function advance(tx: Tx, record: AnyRecord): Promise<boolean> {
  if (record.outcome === "failed") {
    const { error, before, evaluatedAt: at } = record;
    const values = { ...progressOf(record, before.state), ...error, at };
    return (await prepareOnce(tx, failLive).get(values)) !== undefined;
  }
  const { windowAt, state } = record;
  return (await prepareOnce(tx, advanceLive).get({ ...progressOf(record, state), windowAt })) !== undefined;
}

async function insertRows(tx: Tx, record: AnyRecord): Promise<void> {
  const { model, windowAt, outcome } = record;
  const isFailed = record.outcome === "failed";
  const score = isFailed ? null : record.score;
  await putEvaluation(tx, record, { outcome, score, ...(isFailed && { error: record.error.message }) });
  if (!isFailed && record.scores) await recordScores(tx, { model }, record.scores);
  announce(tx, { type: "live", model, windowAt, outcome, score });
}

/** Series, episodes and events, in their order. */
async function insertOutcome(tx: Tx, { model, series, episodes, events, evaluatedAt }: EvaluationRecord) {
  if (series) await applySeriesChanges(tx, model, series);
  await changeEpisodes(tx, episodes);
  await enqueueEvents(tx, events, evaluatedAt);
  for (const change of episodes) announceEpisode(tx, model, change);
}

function announceEpisode(tx: Tx, model: string, change: EpisodeChange): void {
  const about = { type: "anomaly", model } as const;
  if (change.change === "open") {
    const { id, startAt, peakScore, severity } = change.episode;
    announce(tx, { ...about, id, step: "start", startAt, peakScore, ...(severity && { severity }) });
  } else if (change.change === "close")
    announce(tx, { ...about, id: change.id, step: "end", endAt: change.endAt });
  else {
    const { change: step, id, severity } = change;
    announce(tx, { ...about, id, step, severity, ...(step === "peak" && { peakScore: change.peakScore }) });
  }
}

function progressOf({ model, before, slot, missed, intervalMs }: EvaluationBasics, state: StoredState) {
  return { model, rev: before.rev, run: before.state.run, slot, missed, state: { ...state, intervalMs } };
}

const { placeholder } = sql;
const to = <T>(name: string) => placeholder(name) as unknown as T;

/** What every evaluation changes. */
const progress = {
  rev: sql`${live.rev} + 1`,
  lastSlot: to<number>("slot"),
  missed: sql`${live.missed} + ${placeholder("missed")}`,
  state: to<Record<string, unknown>>("state"),
};

/** The row as the evaluation has loaded it: a later start counts revisions anew, in a run of its own. */
const isUnchanged = and(
  eq(live.model, placeholder("model")),
  eq(live.rev, placeholder("rev")),
  sql`json_extract(${live.state}, '$.run') = ${placeholder("run")}`,
);

/** After a success there are no failures in a row. */
const advanceLive = (db: Db) =>
  db
    .update(live)
    .set({ ...progress, lastWindowAt: to<number>("windowAt"), failures: 0 })
    .where(isUnchanged)
    .returning({ rev: live.rev })
    .prepare();

const failLive = (db: Db) =>
  db
    .update(live)
    .set({
      ...progress,
      lastErrorCode: to<ErrorCode>("code"),
      lastErrorMessage: to<string>("message"),
      lastErrorAt: to<number>("at"),
      failures: sql`${live.failures} + 1`,
    })
    .where(isUnchanged)
    .returning({ rev: live.rev })
    .prepare();

const putRow = (db: Db) => {
  const values = {
    rev: to<number>("rev"),
    windowAt: to<number>("windowAt"),
    evaluatedAt: to<number>("evaluatedAt"),
    durationMs: to<number>("durationMs"),
    outcome: to<EvaluationRow["outcome"]>("outcome"),
    score: to<number>("score"),
    error: to<string>("error"),
  };
  return db
    .insert(evaluations)
    .values({ model: placeholder("model"), place: placeholder("place"), ...values })
    .onConflictDoUpdate({ target: [evaluations.model, evaluations.place], set: values })
    .prepare();
};

/** Replaces the oldest evaluation of the model. */
async function putEvaluation(
  tx: Tx,
  { model, before: { rev }, windowAt, evaluatedAt, durationMs }: EvaluationBasics,
  {
    outcome,
    score = null,
    error = null,
  }: Pick<typeof evaluations.$inferInsert, "outcome" | "score" | "error">,
): Promise<void> {
  const times = { windowAt, evaluatedAt, durationMs: Math.round(durationMs) };
  await prepareOnce(tx, putRow).run({
    model,
    rev,
    place: rev % EVALUATIONS_KEPT,
    ...times,
    outcome,
    score,
    error,
  });
}
