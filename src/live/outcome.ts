// Outcomes of an evaluation: scores, points counted or a failure, recorded with state, anomalies and events.
import { describeError, TorusError } from "../core/errors.ts";
import type { Point } from "../core/series/query.ts";
import { toPoints } from "../points/save.ts";
import { assess, assessUnscored, type ScoredFindings } from "./assessment.ts";
import { type CountedPoints, growState } from "./cold-start.ts";
import type { Advance } from "./episodes/episode-tracker.ts";
import { toRun } from "./score-history.ts";
import type { ScoredWindow } from "./score-window.ts";
import type { LiveState } from "./state.ts";
import type { EvaluationDeps, Task } from "./task.ts";

/** `nothing`: no interval was completed, or the model is not evaluated any more. */
export type EvaluationEnd = "recorded" | "failed" | "nothing";
/** `refused`: the live row has changed since it was loaded. */
export type RecordEnd = EvaluationEnd | "refused";

/** Records the scores of a window, and what they change. */
export async function recordScores(
  deps: EvaluationDeps,
  task: Task,
  findings: ScoredFindings,
): Promise<RecordEnd> {
  const { scored } = findings;
  const { episodes, events, notices, active, score, ...assessed } = assess(deps, task, findings);
  const state = await grow(deps, task, assessed.state);
  const outcome = score === null ? "no_data" : "ok";
  const scores = deps.keepsScores() ? toRun(scored.evaluation, task.version!.name) : undefined;
  const result = { ...basicsOf(deps, task), outcome, score, state, episodes, events, scores } as const;
  if (!(await deps.recorder.record(result))) return "refused";
  if (events.length > 0) deps.onEvents();
  for (const notice of notices) deps.onEpisode?.(notice);
  save(deps, task, { ...scored, active });
  return "recorded";
}

/** Records an evaluation before the first version. */
export async function recordPoints(
  deps: EvaluationDeps,
  task: Task,
  { added, newestAt }: CountedPoints,
): Promise<RecordEnd> {
  const { state: before, events } = assessUnscored(deps, task, newestAt);
  const state = await grow(deps, task, before, added);
  const outcome = added > 0 ? "learning" : "no_data";
  const result = { ...basicsOf(deps, task), outcome, score: null, state, episodes: [], events } as const;
  if (!(await deps.recorder.record(result))) return "refused";
  if (events.length > 0) deps.onEvents();
  return "recorded";
}

function grow({ train }: EvaluationDeps, task: Task, state: LiveState, added = 0): Promise<LiveState> {
  const { effective, version, nowAt } = task;
  const { settings, intervalMs } = effective;
  return growState(state, { settings, intervalMs, version, nowAt, added, train });
}

/** Writes what was predicted and observed to the output bucket, where there is one. */
function save({ output }: EvaluationDeps, task: Task, scored: ScoredWindow & Pick<Advance, "active">): void {
  const { model, options, outputError: known } = task.row;
  if (options.save) output.save({ model, points: outputOf(task, scored), target: options.save, known });
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

/** What every record of the task says. */
export function basicsOf({ clock }: EvaluationDeps, { row, window, tick, schedule, nowAt }: Task) {
  // Neither slots skipped by a back-off nor slots without a completed interval count as missed.
  const missed = row.failures > 0 ? 0 : Math.min(tick.missed, window.behind - 1);
  return {
    model: row.model,
    before: row,
    slot: tick.slot,
    intervalMs: schedule.intervalMs,
    windowAt: window.range.toAt,
    evaluatedAt: nowAt,
    durationMs: Math.max(0, clock.now() - nowAt),
    missed,
  };
}
