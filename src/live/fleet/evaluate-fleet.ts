// Evaluation of a fleet: all series of a window are scored and assessed, to be recorded in one transaction.
import { fleetRulesOf } from "../../core/model/fleet.ts";
import { quietUntil } from "../../core/model/mute.ts";
import { nextAutoOffset } from "../../core/model/offset.ts";
import { followArrival } from "../../core/series/arrival.ts";
import type { PlannedEvent } from "../../store/anomalies/outbox.ts";
import { endAll } from "../conditions/index.ts";
import { learn } from "../learned.ts";
import type { Evaluated } from "../outcome.ts";
import { type LiveState, stateOf } from "../state.ts";
import type { EvaluationDeps, Task } from "../task.ts";
import { assessFleet, type FleetAssessment } from "./assess-fleet.ts";
import { moveFleet } from "./fleet-anomaly.ts";
import type { LiveFleet } from "./live-fleet.ts";
import { type ComparedFleet, comparePeers } from "./peers.ts";
import { type ScoredFleet, type SeriesWindow, scoreFleet } from "./score-fleet.ts";

const ENDED_BY_VERSION = "the first version watches each series by itself";

/** Scores and assesses a window of a trained fleet. @throws TorusError as `scoreFleet` */
export async function evaluateFleet(
  deps: EvaluationDeps,
  task: Task,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { row, effective, window, nowAt } = task;
  const { settings, intervalMs } = effective;
  const { model } = row;
  const rules = fleetRulesOf(settings)!;
  const fleet = await deps.fleets.load({ model, run: row.state.run, version: task.version! });
  const openBucket = deps.bucketWatch.of(model, deps.openBucket);
  const changesOf = await deps.recentChanges.bySeries(settings);
  const input = { settings, rules, range: window.range, intervalMs, nowAt, changesOf };
  const scored = await scoreFleet({ ...deps, openBucket }, fleet, input, signal);
  const compared = rules.comparesPeers ? compare(task, scored) : undefined;
  const windows = compared?.windows ?? scored.windows;
  const seen = { fleet, scored: { ...scored, windows }, ttlMs: rules.ttlMs, signal };
  const assessment = await assessFleet(deps, task, seen);
  // Anomalies of the fleet as a whole.
  const moved = moveFleet(deps, task, compared);
  const { score, changes, output } = assessment;
  return {
    outcome: score === null ? "no_data" : "ok",
    score,
    state: nextState(task, { ...assessment, before: moved.state }),
    episodes: [...moved.episodes, ...assessment.episodes],
    events: [...moved.events, ...assessment.events, ...endLearning(task)],
    notices: [...moved.notices, ...assessment.notices],
    series: changes,
    output: () => output,
    onEnd: (isRecorded) => {
      if (!isRecorded) return deps.fleets.forget(model);
      replaceSeries(fleet, assessment);
      settleFits(fleet, windows);
      for (const follower of deps.followers) follower.follow(fleet, task);
    },
  };
}

function compare({ row, effective }: Task, { windows }: ScoredFleet): ComparedFleet {
  const { features, score_scale } = effective.settings;
  const { min, max } = effective.rules;
  const { episode, peers = {} } = stateOf(row);
  const rules = { features, min, max, isMoving: episode !== undefined, ...(score_scale && { score_scale }) };
  return comparePeers(windows, peers, rules);
}

/** Ends the silence of the time before the first version, when points were counted over all series. */
function endLearning({ row, effective: { settings }, nowAt, calendars }: Task): readonly PlannedEvent[] {
  const mutedUntil = () => quietUntil(settings, nowAt, { calendars });
  return endAll(stateOf(row), { model: row.model, at: nowAt, mutedUntil, reason: ENDED_BY_VERSION });
}

/** The series as they are stored now. */
function replaceSeries({ series }: LiveFleet, assessment: FleetAssessment): void {
  series.clear();
  for (const [key, one] of assessment.series) series.set(key, { ...one, isStored: true });
}

/** Keeps settled fits with the memories that replace a part of them; a series fitted anew meanwhile has a newer one. */
function settleFits({ fits }: LiveFleet, windows: readonly SeriesWindow[]): void {
  for (const { series, fit } of windows)
    if (fit && fits.get(series.key)?.fittedAt === fit.fittedAt) fits.set(series.key, fit);
}

/** State of the fleet itself: counts, what it has learned, arrival of points. */
function nextState(
  { effective: { intervalMs }, version, window, nowAt }: Task,
  { score, counts, newestAt, before }: FleetAssessment & { readonly before: LiveState },
): LiveState {
  const scored = [{ score: score ?? undefined }];
  const learned = version && { learned: learn(before.learned, scored, { version, intervalMs }) };
  const last = { score, values: {} };
  // Of the time before the first version; each series has its own.
  const { quiet: _, conditions: __, ...rest } = before;
  const state = { ...rest, ...learned, last, fleet: counts } as LiveState;
  const sighting = newestAt !== undefined && { newestAt, windowAt: window.range.toAt, nowAt, intervalMs };
  const arrival = sighting ? followArrival(before.arrival, sighting) : undefined;
  const late = arrival && { arrival, offsetMs: nextAutoOffset(before.offsetMs ?? 0, arrival) };
  return { ...state, ...late };
}
