// Assessment of a scored window: the new state, changes of anomalies, and events; of a model or one series of a fleet; pure.
import { sourcesOf } from "../core/anomaly/event.ts";
import { capKnown, knownEventsIn } from "../core/calendar/known-events.ts";
import { quietUntil } from "../core/model/mute.ts";
import { nextAutoOffset } from "../core/model/offset.ts";
import { followArrival } from "../core/series/arrival.ts";
import { lastValuesOf } from "../core/series/last-values.ts";
import type { PlannedEvent } from "../store/anomalies/outbox.ts";
import { followAll } from "./conditions/index.ts";
import type { WatchedForecasts } from "./conditions/run-forecasts.ts";
import { cover } from "./episodes/coverage.ts";
import { type Advance, advance } from "./episodes/episode-tracker.ts";
import { planLevelShifts } from "./episodes/level-shifts.ts";
import { confidenceNow, learn } from "./learned.ts";
import type { ScoredWindow } from "./score-window.ts";
import { type LiveState, stateOf } from "./state.ts";
import type { EvaluationDeps, Task } from "./task.ts";

export type AssessDeps = Pick<EvaluationDeps, "newId">;

export interface ScoredFindings {
  readonly scored: ScoredWindow;
  /** See `findNewestPoint`. */
  readonly newestAt: number | undefined;
  readonly forecasts: WatchedForecasts;
}

interface Assessment extends Advance {
  /** Of the last interval that was scored; null where none was. */
  readonly score: number | null;
}

/** Assesses a window that was scored. */
export function assess(
  deps: AssessDeps,
  task: Task,
  { scored, newestAt, forecasts }: ScoredFindings,
): Assessment {
  const { points, evaluation } = scored;
  const { events, state, ...moved } = detect(deps, task, scored);
  const followed = follow(deps, task, { newestAt, scored: { drift: evaluation.drift }, forecasts });
  const score = points.findLast((point) => point.score !== undefined)?.score ?? null;
  const last = { score, ...lastValuesOf(scored.observed.columns, evaluation.predicted) };
  return {
    ...moved,
    score,
    events: [...events, ...followed.events],
    state: { ...withoutConditions(state), ...followed.state, last },
  };
}

/** Assesses a window that nothing could score: silence alone. */
export function assessUnscored(
  deps: AssessDeps,
  task: Task,
  newestAt: number | undefined,
): { readonly state: LiveState; readonly events: readonly PlannedEvent[] } {
  const { state, events } = follow(deps, task, { newestAt });
  return { state: { ...withoutConditions(stateOf(task.row)), ...state }, events };
}

/**
 * Takes the state over the scored intervals. Without detection scores change neither anomaly nor episodes; nor do those
 * of intervals that were scored before the clock was set back.
 */
function detect(deps: AssessDeps, task: Task, scored: ScoredWindow): Advance {
  const { row, effective, version, window, nowAt, series, calendars } = task;
  const { settings, rules, intervalMs } = effective;
  const before = nextState(task, scored);
  if (!row.options.detect) return { state: before, episodes: [], events: [], notices: [], active: [] };
  const known = knownEventsIn(settings, calendars, window.range);
  const points = capKnown(scored.points, intervalMs, known);
  const coverage = before.scored ?? [];
  const isScored = points.some(({ score }) => score !== undefined);
  const context = {
    model: row.model,
    series,
    sources: () => sourcesOf(settings),
    mutedUntil: () => quietUntil(settings, nowAt, { series, calendars }),
    newId: deps.newId,
  };
  const confidence = version && { confidence: confidenceNow(before.learned, { version, intervalMs }) };
  const moved = advance(before, points, { ...context, rules, ...confidence });
  const isKnown = (at: number) => known.some(({ fromAt, toAt }) => at >= fromAt && at < toAt);
  const steps = (scored.evaluation.levelShifts ?? []).filter(({ at }) => !isKnown(at));
  const shifts = planLevelShifts(steps, {
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

/** Follows silence, drift and watched forecasts. */
function follow(
  { newId }: AssessDeps,
  { row, effective: { settings, intervalMs }, window, nowAt, series, calendars }: Task,
  findings: Pick<Parameters<typeof followAll>[1], "newestAt" | "scored" | "forecasts">,
) {
  const about = { settings, intervalMs, windowAt: window.range.toAt, sources: sourcesOf(settings) };
  return followAll(
    stateOf(row),
    { ...about, ...findings },
    {
      model: row.model,
      series,
      at: nowAt,
      mutedUntil: () => quietUntil(settings, nowAt, { series, calendars }),
      newId,
    },
  );
}

function withoutConditions({ quiet: _, forecasts: __, conditions: ___, ...rest }: LiveState): LiveState {
  return rest as LiveState;
}
