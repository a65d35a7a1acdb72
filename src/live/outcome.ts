// Outcomes of an evaluation: scores, points counted or a failure, recorded with state, anomalies and events.
import { describeError, TorusError } from "../core/errors.ts";
import type { Point } from "../core/series/query.ts";
import { toPoints } from "../points/save.ts";
import type { EpisodeChange } from "../store/anomalies/episodes.ts";
import type { PlannedEvent } from "../store/anomalies/outbox.ts";
import type { SeriesChange } from "../store/fleets/live-series.ts";
import { assess, assessUnscored, type ScoredFindings } from "./assessment.ts";
import { type CountedPoints, growState } from "./cold-start.ts";
import type { Advance, EpisodeNotice } from "./episodes/episode-tracker.ts";
import { toRun } from "./score-history.ts";
import type { ScoredWindow } from "./score-window.ts";
import type { LiveState } from "./state.ts";
import type { EvaluationDeps, Task } from "./task.ts";

/** `nothing`: no interval was completed, or the model is not evaluated any more. */
export type EvaluationEnd = "recorded" | "failed" | "nothing";
/** `refused`: the live row has changed since it was loaded. */
type RecordEnd = EvaluationEnd | "refused";

/** What a window was found to hold: of a model, of all series of a fleet, or points that nothing can score yet. */
export interface Evaluated {
  readonly outcome: "ok" | "no_data" | "learning";
  /** Of the last interval that was scored, the highest of a fleet; null where none was. */
  readonly score: number | null;
  /** After the window, what it learns left out. */
  readonly state: LiveState;
  /** Points that no version has scored. */
  readonly added?: number;
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
  readonly notices?: readonly EpisodeNotice[];
  /** Of a model; absent where they are not kept. */
  readonly scores?: ReturnType<typeof toRun> | undefined;
  /** Of a fleet. */
  readonly series?: readonly SeriesChange[];
  /** What was predicted and observed, for the output bucket. */
  readonly output?: () => readonly Point[];
  /** Called with whether it was recorded. */
  readonly onEnd?: (isRecorded: boolean) => void;
}

/** Scores of a window of one series, and what they change. */
export function assessScores(deps: EvaluationDeps, task: Task, findings: ScoredFindings): Evaluated {
  const { scored } = findings;
  const { active, score, ...assessed } = assess(deps, task, findings);
  return {
    ...assessed,
    outcome: score === null ? "no_data" : "ok",
    score,
    scores: deps.keepsScores()
      ? toRun(scored.evaluation, { version: task.version!.name, settings: task.effective.settings })
      : undefined,
    output: () => outputOf(task, { ...scored, active }),
    onEnd: follow(deps, task),
  };
}

/** Lets those follow who judge models, once the evaluation is recorded. */
function follow({ followers }: EvaluationDeps, task: Task): (isRecorded: boolean) => void {
  return (isRecorded) => {
    if (isRecorded) for (const follower of followers) follower.followModel?.(task);
  };
}

/** Points counted before the first version. */
export function assessPoints(
  deps: EvaluationDeps,
  task: Task,
  { added, newestAt }: CountedPoints,
): Evaluated {
  const unscored = assessUnscored(deps, task, newestAt);
  const outcome = added > 0 ? "learning" : "no_data";
  return { ...unscored, outcome, score: null, added, episodes: [], onEnd: follow(deps, task) };
}

/** Records an evaluation, requests a training where one is due, and tells those who follow. */
export async function record(deps: EvaluationDeps, task: Task, evaluated: Evaluated): Promise<RecordEnd> {
  const { added = 0, notices = [], output, onEnd, ...found } = evaluated;
  const { version, nowAt, effective } = task;
  const { settings, intervalMs } = effective;
  const growth = { settings, intervalMs, version, nowAt, added, train: deps.train };
  const state = await growState(found.state, growth);
  const isRecorded = await deps.recorder.record({ ...basicsOf(deps, task), ...found, state });
  onEnd?.(isRecorded);
  if (!isRecorded) return "refused";
  if (found.events.length > 0) deps.onEvents();
  for (const notice of notices) deps.onEpisode?.(notice);
  const { model, options, outputError: known } = task.row;
  const points = options.save && output ? output() : [];
  if (options.save && points.length > 0) deps.output.save({ model, points, target: options.save, known });
  return "recorded";
}

/** What was predicted and observed, as points of the output bucket. */
export function outputOf(
  { row: { model, options }, effective: { settings }, series }: Task,
  { evaluation: prediction, observed, points, active }: ScoredWindow & Pick<Advance, "active">,
): readonly Point[] {
  const { detect } = options;
  const { features } = settings;
  const stats = active.map((anomaly, i) => ({ score: points[i]!.score ?? 0, anomaly }));
  const input = { model, features, series, prediction, observed, ...(detect && { stats }) };
  return toPoints(input);
}

/** Records a failure: the state does not change. */
export async function recordFailure(deps: EvaluationDeps, task: Task, error: unknown): Promise<RecordEnd> {
  if (error instanceof TorusError && error.code === "canceled") return "nothing";
  if (!(error instanceof TorusError)) deps.onError(error, task.row.model);
  const failure = { ...basicsOf(deps, task), outcome: "failed", error: describeError(error) } as const;
  return (await deps.recorder.record(failure)) ? "failed" : "refused";
}

/** Windows that were skipped before it: neither slots of a back-off nor slots without a completed interval are. */
export function missedBefore({ row, tick, window }: Pick<Task, "row" | "tick" | "window">): number {
  return row.failures > 0 ? 0 : Math.min(tick.missed, window.behind - 1);
}

/** What every record of the task says. */
function basicsOf({ clock }: EvaluationDeps, task: Task) {
  const { row, window, tick, schedule, nowAt } = task;
  return {
    model: row.model,
    before: row,
    slot: tick.slot,
    intervalMs: schedule.intervalMs,
    windowAt: window.range.toAt,
    evaluatedAt: nowAt,
    durationMs: Math.max(0, clock.now() - nowAt),
    missed: missedBefore(task),
  };
}
