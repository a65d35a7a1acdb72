// Outcomes of an evaluation: scores, points counted or a failure, recorded with state, anomalies and events.
import { sourcesOf } from "../core/anomaly/event.ts";
import { describeError, TorusError } from "../core/errors.ts";
import { mutedUntil } from "../core/model/mute.ts";
import { nextAutoOffset } from "../core/model/offset.ts";
import { followArrival } from "../core/series/arrival.ts";
import type { Grid } from "../core/series/grid.ts";
import { toPoints } from "../jobs/handlers/save.ts";
import { type CountedPoints, growState } from "./cold-start.ts";
import { followAll } from "./conditions/index.ts";
import type { WatchedForecasts } from "./conditions/run-forecasts.ts";
import { cover } from "./coverage.ts";
import { type Advance, advance } from "./episode-tracker.ts";
import { confidenceNow, learn } from "./learned.ts";
import { planLevelShifts } from "./level-shifts.ts";
import { toRun } from "./score-history.ts";
import type { ScoredWindow } from "./score-window.ts";
import { type LastInterval, type LiveState, stateOf } from "./state.ts";
import type { EvaluationDeps, Task } from "./task.ts";

/** `nothing`: no interval was completed, or the result came too late to count. */
export type EvaluationEnd = "recorded" | "failed" | "nothing";

interface ScoredFindings {
  readonly scored: ScoredWindow;
  /** See `findNewestPoint`. */
  readonly newestAt: number | undefined;
  readonly forecasts: WatchedForecasts;
}

/** Records the scores of a window, and what they change. @returns as `EvaluationEnd` */
export async function recordScores(
  deps: EvaluationDeps,
  task: Task,
  { scored, newestAt, forecasts }: ScoredFindings,
): Promise<EvaluationEnd> {
  const { points, evaluation } = scored;
  const { episodes, events: found, notices, active, ...moved } = detect(deps, task, scored);
  const followed = follow(deps, task, { newestAt, scored: { drift: evaluation.drift }, forecasts });
  const events = [...found, ...followed.events];
  const score = points.findLast((point) => point.score !== undefined)?.score ?? null;
  const last = { score, values: lastValues(scored.observed) };
  const state = await grow(deps, task, { ...withoutConditions(moved.state), ...followed.state, last });
  const outcome = score === null ? "no_data" : "ok";
  const scores = deps.keepsScores() ? toRun(evaluation, task.version!.name) : undefined;
  const result = { ...basicsOf(deps, task), outcome, score, state, episodes, events, scores } as const;
  if (!(await deps.recorder.record(result))) return "nothing";
  if (events.length > 0) deps.onEvents();
  for (const notice of notices) deps.onEpisode?.(notice);
  save(deps, task, { ...scored, active });
  return "recorded";
}

function lastValues({ columns }: Grid): LastInterval["values"] {
  const values = Object.entries(columns).map(([name, column]) => {
    const value = column.at(-1);
    return [name, value !== undefined && Number.isFinite(value) ? value : null] as const;
  });
  return Object.fromEntries(values);
}

/** Records an evaluation before the first version. */
export async function recordPoints(
  deps: EvaluationDeps,
  task: Task,
  { added, newestAt }: CountedPoints,
): Promise<EvaluationEnd> {
  const { state: conditions, events } = follow(deps, task, { newestAt });
  const before = { ...withoutConditions(stateOf(task.row)), ...conditions };
  const state = await grow(deps, task, before, added);
  const outcome = added > 0 ? "learning" : "no_data";
  const result = { ...basicsOf(deps, task), outcome, score: null, state, episodes: [], events } as const;
  if (!(await deps.recorder.record(result))) return "nothing";
  if (events.length > 0) deps.onEvents();
  return "recorded";
}

/** Follows silence, drift and watched forecasts. */
function follow(
  { newId }: EvaluationDeps,
  { row, effective: { settings }, window, nowAt }: Task,
  findings: Pick<Parameters<typeof followAll>[1], "newestAt" | "scored" | "forecasts">,
) {
  const about = { settings, windowAt: window.range.toAt, sources: sourcesOf(settings) };
  return followAll(
    stateOf(row),
    { ...about, ...findings },
    {
      model: row.model,
      at: nowAt,
      mutedUntil: () => mutedUntil(settings.mute ?? [], nowAt, settings.timezone),
      newId,
    },
  );
}

function withoutConditions({ quiet: _, forecasts: __, conditions: ___, ...rest }: LiveState): LiveState {
  return rest as LiveState;
}

function grow({ train }: EvaluationDeps, task: Task, state: LiveState, added = 0): Promise<LiveState> {
  const { effective, version, nowAt } = task;
  const { settings, intervalMs } = effective;
  return growState(state, { settings, intervalMs, version, nowAt, added, train });
}

/** Writes what was predicted and observed to the output bucket, where there is one. */
function save(
  { output }: EvaluationDeps,
  { row: { model, options }, effective: { settings } }: Task,
  { evaluation: prediction, observed, points, active }: ScoredWindow & Pick<Advance, "active">,
): void {
  const { save: target, detect } = options;
  if (!target) return;
  const { features } = settings;
  const stats = active.map((anomaly, i) => ({ score: points[i]!.score ?? 0, anomaly }));
  const input = { model, features, prediction, observed, ...(detect && { stats }) };
  output.save({ model, points: toPoints(input), target });
}

/**
 * Takes the state over the scored intervals. Without detection scores change neither anomaly nor episodes; nor do those
 * of intervals that were scored before the clock was set back.
 */
function detect(deps: EvaluationDeps, task: Task, scored: ScoredWindow): Advance {
  const { row, effective, version, window, nowAt } = task;
  const { settings, rules, intervalMs } = effective;
  const before = nextState(task, scored);
  if (!row.options.detect) return { state: before, episodes: [], events: [], notices: [], active: [] };
  const { points } = scored;
  const coverage = before.scored ?? [];
  const isScored = points.some(({ score }) => score !== undefined);
  const context = {
    model: row.model,
    sources: () => sourcesOf(settings),
    mutedUntil: () => mutedUntil(settings.mute ?? [], nowAt, settings.timezone),
    newId: deps.newId,
  };
  const confidence = version && { confidence: confidenceNow(before.learned, { version, intervalMs }) };
  const moved = advance(before, points, { ...context, rules, ...confidence });
  const shifts = planLevelShifts(scored.evaluation.levelShifts ?? [], {
    ...context,
    points,
    episode: before.episode?.id,
  });
  const covered = isScored ? cover(coverage, window.range, intervalMs) : coverage;
  return { ...moved, events: [...moved.events, ...shifts], state: { ...moved.state, scored: covered } };
}

/** The state with what the model kind remembers, and how late points arrive. */
function nextState(
  { row, effective: { intervalMs }, version, window, nowAt }: Task,
  { evaluation: { rejected, memory, drift, levelShifts = [] }, points, newestAt }: ScoredWindow,
): LiveState {
  const before = stateOf(row);
  const { drift: _, levelShift: known, ...rest } = before;
  const learned = version && { learned: learn(before.learned, points, { version, intervalMs }) };
  const isSame = learned?.learned.version === before.learned?.version;
  const levelShift = levelShifts.at(-1) ?? (isSame ? known : undefined);
  const remembered = {
    rejected,
    ...(memory && { memory }),
    ...(drift && { drift }),
    ...(levelShift && { levelShift }),
    ...learned,
  };
  const state = { ...rest, ...remembered } as LiveState;
  if (newestAt === undefined) return state;
  const sighting = { newestAt, windowAt: window.range.toAt, nowAt, intervalMs };
  const arrival = followArrival(before.arrival, sighting);
  return { ...state, arrival, offsetMs: nextAutoOffset(before.offsetMs ?? 0, arrival) };
}

/** Records a failure: the state does not change. */
export async function recordFailure(
  deps: EvaluationDeps,
  task: Task,
  error: unknown,
): Promise<EvaluationEnd> {
  if (error instanceof TorusError && error.code === "canceled") return "nothing";
  if (!(error instanceof TorusError)) deps.onError(error, task.row.model);
  const failure = { ...basicsOf(deps, task), outcome: "failed", error: describeError(error) } as const;
  return (await deps.recorder.record(failure)) ? "failed" : "nothing";
}

function basicsOf({ clock }: EvaluationDeps, { row, window, tick, schedule, nowAt }: Task) {
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
