// SQL of evaluations: each recorded in one transaction with the state, its episodes and its events.
import { and, desc, eq, sql } from "drizzle-orm";
import type { ErrorCode } from "../../core/errors.ts";
import type { ScoreRun } from "../../core/series/score-run.ts";
import type { Db } from "../db/database.ts";
import { mapInOrder } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { EVALUATIONS_KEPT, evaluations, live } from "../db/schema.ts";
import { announce, read, type Tx, write, writeGuarded } from "../db/transaction.ts";
import { applySeriesChanges, type SeriesChange } from "../fleets/live-series.ts";
import type { LiveRow, StoredState } from "../live.ts";
import { changeEpisodes, type EpisodeChange } from "./episodes.ts";
import { enqueueEvents, type PlannedEvent } from "./outbox.ts";
import { appendScores } from "./scores.ts";

/** Of the cached tables, an evaluation changes only this one. */
const changes = ["live"] as const;

export type EvaluationRow = typeof evaluations.$inferSelect;

/** The last evaluations of a model, newest first. */
export function listEvaluations(store: Store, model: string): Promise<EvaluationRow[]> {
  return read(store, (db) =>
    db.select().from(evaluations).where(eq(evaluations.model, model)).orderBy(desc(evaluations.rev)).all(),
  );
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
  readonly scores?: ScoreRun | undefined;
  /** Of a fleet: its series. */
  readonly series?: readonly SeriesChange[] | undefined;
}

/**
 * Records an evaluation: the new state, its episodes and its events, all or nothing.
 * @returns false where it is refused, because the model was stopped, deleted, evaluated or given other options since:
 * nothing has changed
 */
export function recordEvaluation(store: Store, record: EvaluationRecord): Promise<boolean> {
  const work = (tx: Tx) => insertRecord(tx, record);
  return isGuarded(record) ? writeGuarded(store, work, { changes }) : write(store, work, { changes });
}

interface Failure extends EvaluationBasics {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export interface FailureRecord extends Failure {
  readonly outcome: "failed";
}

/** Records a failed evaluation: the state does not change. @returns as `recordEvaluation` */
export function recordFailure(store: Store, record: Failure): Promise<boolean> {
  return writeGuarded(store, (tx) => insertFailure(tx, record), { changes });
}

type AnyRecord = EvaluationRecord | FailureRecord;

/**
 * Records many in one transaction, all or none: a group commit, since each commit waits for the disk.
 * @returns per record, as `recordEvaluation`
 */
export function recordAll(store: Store, records: readonly AnyRecord[]): Promise<boolean[]> {
  const record = (tx: Tx) =>
    mapInOrder(records, (each) =>
      each.outcome === "failed" ? insertFailure(tx, each) : insertRecord(tx, each),
    );
  // The live rows guard what belongs to their models alone; hooks, which events are for, can change beside.
  return records.every(isGuarded)
    ? writeGuarded(store, record, { changes })
    : write(store, record, { changes });
}

/** Whether nothing but rows of the model, which its live row guards, is read or changed. */
function isGuarded(record: AnyRecord): boolean {
  return record.outcome === "failed" || record.episodes.length + record.events.length === 0;
}

async function insertRecord(tx: Tx, record: EvaluationRecord): Promise<boolean> {
  const { model, windowAt, outcome, score, state, evaluatedAt: at } = record;
  if (!(await prepareOnce(tx, advanceLive).get({ ...progressOf(record, state), windowAt }))) return false;
  await putEvaluation(tx, record, { outcome, score });
  if (record.scores) await appendScores(tx, { model }, record.scores);
  if (record.series) await applySeriesChanges(tx, model, record.series);
  await changeEpisodes(tx, record.episodes);
  await enqueueEvents(tx, record.events, at);
  announce(tx, { type: "live", model, windowAt, outcome, score });
  for (const change of record.episodes) announceEpisode(tx, model, change);
  return true;
}

async function insertFailure(tx: Tx, record: Failure): Promise<boolean> {
  const { model, error, before, evaluatedAt: at } = record;
  if (!(await prepareOnce(tx, failLive).get({ ...progressOf(record, before.state), ...error, at })))
    return false;
  await putEvaluation(tx, record, { outcome: "failed", error: error.message });
  announce(tx, { type: "live", model, windowAt: record.windowAt, outcome: "failed", score: null });
  return true;
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

/** Whether an evaluation puts events into the outbox or changes episodes, which is rare. */
export const isEventful = (record: AnyRecord) => !isGuarded(record);

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
