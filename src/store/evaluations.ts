// SQL of evaluations: what each came to, recorded in one transaction with the state, the episodes and the events.
import { and, desc, eq, lt } from "drizzle-orm";
import type { ErrorCode } from "../core/errors.ts";
import { changeEpisodes, type EpisodeChange } from "./episodes.ts";
import {
  type Enqueue,
  enqueueAll,
  findLive,
  type KeptState,
  type LiveRow,
  type PlannedEvent,
} from "./live.ts";
import type { Store } from "./open.ts";
import { evaluations, live } from "./schema.ts";
import { read, type Tx, write } from "./transaction.ts";

/** Evaluations kept per model. */
const KEPT = 20;

export type EvaluationRow = typeof evaluations.$inferSelect;

/** The last evaluations of a model, newest first. */
export function listEvaluations(store: Store, model: string): Promise<EvaluationRow[]> {
  return read(store, (db) =>
    db
      .select()
      .from(evaluations)
      .where(eq(evaluations.model, model))
      .orderBy(desc(evaluations.seq))
      .limit(KEPT)
      .all(),
  );
}

/** What every evaluation has, however it ended. */
interface Evaluated {
  readonly model: string;
  /** The live row the evaluation began with: where detection has moved on or stopped since, nothing is recorded. */
  readonly before: Pick<LiveRow, "lastSlot" | "state">;
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

export interface EvaluationRecord extends Evaluated {
  readonly outcome: "ok" | "no_data";
  readonly score: number | null;
  readonly state: KeptState;
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
}

/**
 * Records an evaluation: the new state, its episodes and its events, together or not at all.
 * @returns false where it came too late: the model was stopped, deleted or evaluated by another one, and nothing was changed
 */
export function recordEvaluation(store: Store, record: EvaluationRecord, enqueue: Enqueue): Promise<boolean> {
  return write(store, (tx) => {
    const row = findExpected(tx, record);
    if (!row) return false;
    const { model, windowAt, outcome, score, evaluatedAt: at } = record;
    tx.update(live)
      .set({ ...progressOf(row, record, record.state), lastWindowAt: windowAt, failures: 0 })
      .where(eq(live.model, model))
      .run();
    insertEvaluation(tx, record, { outcome, score });
    changeEpisodes(tx, record.episodes);
    enqueueAll(tx, record.events, { at, enqueue });
    return true;
  });
}

export interface FailureRecord extends Evaluated {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Records an evaluation that found nothing out: the state stays as it is. @returns false as `recordEvaluation` */
export function recordFailure(store: Store, record: FailureRecord): Promise<boolean> {
  return write(store, (tx) => {
    const row = findExpected(tx, record);
    if (!row) return false;
    const { model, error, evaluatedAt } = record;
    const last = { lastErrorCode: error.code, lastErrorMessage: error.message, lastErrorAt: evaluatedAt };
    tx.update(live)
      .set({ ...progressOf(row, record, row.state), ...last, failures: row.failures + 1 })
      .where(eq(live.model, model))
      .run();
    insertEvaluation(tx, record, { outcome: "failed", error: error.message });
    return true;
  });
}

function findExpected(tx: Tx, { model, before }: Evaluated): LiveRow | undefined {
  const row = findLive(tx, model);
  return row && row.state.run === before.state.run && row.lastSlot === before.lastSlot ? row : undefined;
}

function progressOf(row: LiveRow, { slot, missed, intervalMs }: Evaluated, state: KeptState) {
  return { lastSlot: slot, missed: row.missed + missed, state: { ...state, intervalMs } };
}

function insertEvaluation(
  tx: Tx,
  { model, windowAt, evaluatedAt, durationMs }: Evaluated,
  end: Pick<typeof evaluations.$inferInsert, "outcome" | "score" | "error">,
): void {
  const { seq } = evaluations;
  const mine = eq(evaluations.model, model);
  tx.insert(evaluations)
    .values({ model, windowAt, evaluatedAt, durationMs: Math.round(durationMs), ...end })
    .run();
  const oldest = tx
    .select({ seq })
    .from(evaluations)
    .where(mine)
    .orderBy(desc(seq))
    .limit(1)
    .offset(KEPT - 1)
    .get();
  if (oldest)
    tx.delete(evaluations)
      .where(and(mine, lt(seq, oldest.seq)))
      .run();
}
