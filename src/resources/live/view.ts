// API view of live models, with all times in seconds.
import type { FalseAlarmsView } from "../../api/false-alarms.ts";
import { viewLevelShift } from "../../api/level-shift.ts";
import type { LiveStateView } from "../../api/live.ts";
import { severityOf } from "../../core/anomaly/severity.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { silenceLimit } from "../../core/model/silence.ts";
import { watchesOf } from "../../core/model/watch-forecast.ts";
import { type Arrival, neededOffset } from "../../core/series/arrival.ts";
import { isSilent } from "../../live/conditions/silence.ts";
import type { LiveState, Ongoing } from "../../live/state.ts";
import type { StoredSettings } from "../../live/stored-settings.ts";
import type { Drift } from "../../models/kind.ts";
import type { EvaluationRow } from "../../store/anomalies/evaluations.ts";
import type { LiveOptions, LiveRow, OutputProblem } from "../../store/live.ts";

/** State of a live model. */
export interface LiveView {
  readonly row: LiveRow;
  readonly state: LiveState;
  readonly outputProblem?: OutputProblem | null;
  /** Newest first; absent in lists. */
  readonly evaluations?: readonly EvaluationRow[];
  /** Absent in lists, and before two weeks. */
  readonly falseAlarms?: FalseAlarmsView | undefined;
}

const seconds = (at: number): number => at / 1000;

/** `settings.run`: parameters of the start, under their old and new names. */
export function viewRun({ detect, save }: LiveOptions): object {
  return {
    detect_anomalies: detect,
    flag_abnormal_data: detect,
    save_output_data: save !== undefined,
    ...(save && { output_bucket: save.bucket }),
  };
}

/** `live` of a model. */
export function viewLive(
  { row, state, outputProblem, evaluations }: LiveView,
  settings: Pick<StoredSettings, "offsetMs" | "settings">,
  nowAt: number,
): LiveStateView {
  const { lastWindowAt, missed, failures, startedAt } = row;
  const { learning, arrival, offsetMs, last } = state;
  const usedMs = settings.offsetMs ?? offsetMs ?? 0;
  const late = viewLate(arrival, usedMs);
  return {
    started: seconds(startedAt),
    last_window: lastWindowAt === null ? null : seconds(lastWindowAt),
    lag: lastWindowAt === null ? null : Math.max(0, seconds(nowAt - usedMs - lastWindowAt)),
    offset: seconds(usedMs),
    ...(arrival && { newest_point: seconds(arrival.newestAt) }),
    ...(late && { late }),
    ...(last && { score: last.score, value: last.values }),
    missed,
    failures,
    ...viewError(row),
    ...(outputProblem && { output_error: viewOutput(outputProblem) }),
    ...(learning && { learning: { points: learning.points, needed: learning.nextPoints } }),
    ...viewFindings(state, settings.settings),
    ...(evaluations && { evaluations: evaluations.map(viewEvaluation) }),
  };
}

/** What live detection has found, of a model or a series. */
export function viewFindings(
  state: LiveState,
  settings: ModelSettings,
): Pick<LiveStateView, "anomaly" | "level_shift" | "drift" | "silence" | "silence_after" | "forecasts"> {
  const { episode, drift, levelShift } = state;
  return {
    ...(episode && { anomaly: viewOngoing(episode) }),
    ...(levelShift && { level_shift: viewLevelShift(levelShift) }),
    ...(drift && { drift: viewDrift(drift) }),
    ...viewSilence(state, settings),
    ...viewForecasts(state, settings),
  };
}

function viewOngoing(episode: Ongoing): NonNullable<LiveStateView["anomaly"]> {
  return {
    id: episode.id,
    start: seconds(episode.startedAt),
    score: episode.score,
    peak_score: episode.peakScore,
    severity: episode.severity ?? severityOf(episode.features),
    ...(episode.confidence && { confidence: episode.confidence }),
    features: episode.features,
  };
}

/** Advice if windows are evaluated before their points arrive. */
export function viewLate(
  arrival: Arrival | undefined,
  usedMs: number,
): { readonly offset: number; readonly advice: string } | undefined {
  const neededMs = neededOffset(arrival) ?? 0;
  if (neededMs <= usedMs) return undefined;
  const offset = seconds(neededMs);
  return {
    offset,
    advice: `points arrive after their window was evaluated: set offset to ${offset}s, or to auto`,
  };
}

function viewDrift({ feature, sinceAt, share }: Drift): NonNullable<LiveStateView["drift"]> {
  return { feature, since: seconds(sinceAt), share, advice: "retrain" };
}

function viewSilence(
  state: LiveState,
  settings: ModelSettings,
): Pick<LiveStateView, "silence" | "silence_after"> {
  const { quiet } = state;
  if (!quiet) return {};
  const { sinceAt, gapMs } = quiet;
  return {
    ...(isSilent(state) && { silence: { since: seconds(sinceAt) } }),
    silence_after: seconds(silenceLimit(settings, { intervalMs: bucketIntervalOf(settings), gapMs })),
  };
}

/** The last forecasts of the watches that the model still has. */
export function viewForecasts(
  { conditions = {}, forecasts = {} }: Pick<LiveState, "conditions" | "forecasts">,
  settings: Pick<ModelSettings, "watch_forecast" | "features">,
): Pick<LiveStateView, "forecasts"> {
  const views = watchesOf(settings).flatMap(({ key, feature, type, threshold }) => {
    const forecast = forecasts[key];
    if (!forecast) return [];
    const { madeAt, firstAt, earliestAt, latestAt, error, code } = forecast;
    const dates = { first: firstAt, earliest: earliestAt, latest: latestAt };
    const known = Object.entries(dates).flatMap(([name, at]) =>
      at === undefined ? [] : [[name, seconds(at)]],
    );
    const about = { feature, type, threshold, made: seconds(madeAt), active: key in conditions };
    return [
      {
        ...about,
        ...Object.fromEntries(known),
        ...(error !== undefined && { error, ...(code && { code }) }),
      },
    ];
  });
  return views.length > 0 ? { forecasts: views } : {};
}

/** Absent after a later evaluation has succeeded; `evaluations` still lists it. */
function viewError({
  lastErrorCode: code,
  lastErrorMessage: message,
  lastErrorAt,
  failures,
}: LiveRow): Pick<LiveStateView, "last_error"> {
  if (failures === 0 || code === null || message === null || lastErrorAt === null) return {};
  return { last_error: { code, message, timestamp: seconds(lastErrorAt) } };
}

function viewOutput({
  code,
  message,
  at,
  dropped,
}: OutputProblem): NonNullable<LiveStateView["output_error"]> {
  return { code, message, timestamp: seconds(at), dropped };
}

function viewEvaluation({
  windowAt,
  evaluatedAt,
  durationMs,
  outcome,
  score,
  error,
}: EvaluationRow): NonNullable<LiveStateView["evaluations"]>[number] {
  return {
    window: seconds(windowAt),
    timestamp: seconds(evaluatedAt),
    duration: durationMs / 1000,
    outcome,
    score,
    ...(error !== null && { error }),
  };
}
