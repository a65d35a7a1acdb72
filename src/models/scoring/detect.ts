// Detection: effective thresholds, the anomaly state machine over a range of scores, and range scores; pure.

import type { Evidence } from "../../core/anomaly/event.ts";
import { guardsOf } from "../../core/anomaly/start-guard.ts";
import {
  type AnomalyRules,
  type AnomalyState,
  completeThresholds,
  normalState,
  stepAnomaly,
  type Thresholds,
} from "../../core/anomaly/state.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { EffectiveSettings } from "../../core/model/effective-settings.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { parseDuration, WEEK_MS } from "../../core/time/time.ts";
import { runInSteps } from "../../runtime/steps.ts";
import type { FeatureScore, PointScore } from "../kind.ts";
import { automaticThresholds, DEFAULT_FALSE_ALARMS, rarityOfScore } from "./score.ts";

/** Points the range score looks back over. */
const RANGE_LENGTH = 60;
/** Exponent of the range score: a plain mean (1) would hide a few anomalous points among many normal ones. */
const RANGE_POWER = 3;

/** One entry of `stats`, with the keys of the API. */
interface PointStat {
  /** 0..100; 0 where nothing was observed. */
  readonly score: number;
  readonly anomaly: boolean;
  /** Contributing features; empty outside of an anomaly. */
  readonly anomalies: Readonly<Record<string, Pick<FeatureScore, "type" | "score"> & Partial<Evidence>>>;
  readonly mse: number | null;
  readonly nll: number | null;
  /** 0..100: of the stretch that ends here, or the power mean of the last scores. */
  readonly range_score: number;
  /** With `mode=batch`: the score of live detection. */
  readonly causal_score?: number;
}

/** What judges each point of a model: its features, and of several the joint detector. */
function judgesOf({ features: { length } }: ModelSettings): number {
  return length > 1 ? length + 1 : 1;
}

/**
 * Thresholds of the settings; missing ones are derived from the expected number of false alarms of the model, of which
 * each judge of each series has an equal part.
 */
export function effectiveThresholds(settings: EffectiveSettings): Thresholds {
  const { expected_false_alarms: perWeek = DEFAULT_FALSE_ALARMS, sharing_series: series = 1 } = settings;
  const automatic = automaticThresholds(bucketIntervalOf(settings), {
    perWeek,
    judges: series * judgesOf(settings),
    scale: settings.score_scale,
  });
  return completeThresholds(thresholdsOf(settings) ?? {}, automatic);
}

/**
 * Anomalies a week of normal data that a start threshold stands for, whoever set it; of a fleet those of one series.
 * @param max 0..100; 100 is never exceeded
 */
export function falseAlarmsOf(settings: ModelSettings, max: number): number {
  if (max >= 100) return 0;
  const probability = 10 ** -rarityOfScore(max, settings.score_scale);
  return (probability * judgesOf(settings) * WEEK_MS) / bucketIntervalOf(settings);
}

/** Rules of the state machine, from the settings of a model. */
export function rulesOf(settings: EffectiveSettings): AnomalyRules {
  const gracePeriodMs = parseDuration(settings.grace_period ?? 0, "grace_period");
  const thresholds = effectiveThresholds(settings);
  const guards = guardsOf(settings.features);
  return {
    ...thresholds,
    gracePeriodMs,
    minDuration: settings.min_duration ?? 1,
    ...(settings.notify_after && { notifyAfter: settings.notify_after }),
    maxRarity: rarityOfScore(thresholds.max, settings.score_scale),
    ...(guards && { guards }),
  };
}

export interface Detection {
  readonly stats: readonly PointStat[];
  /** State after the last point. */
  readonly state: AnomalyState;
}

export interface DetectOptions {
  readonly rules: AnomalyRules;
  /** State before the first point; default: no anomaly. */
  readonly before?: AnomalyState;
  /** Scores of the preceding intervals, for the range score. */
  readonly past?: readonly PointScore[];
  /** See `startScoresOf`; absent without guards. */
  readonly startScores?: Float64Array | undefined;
}

/** Runs the state machine over scored intervals, oldest first. */
export function detect(
  scores: readonly PointScore[],
  { startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">,
  { rules, before = normalState, past = [], startScores }: DetectOptions,
): Detection {
  let state = before;
  const ranges = rangeScores([...past, ...scores].map(({ score }) => score)).slice(past.length);
  const stats = scores.map(({ score, features, mse, nll, rangeScore, causalScore }, i): PointStat => {
    const at = startAt + i * intervalMs;
    state = stepAnomaly(state, { at, score, startScore: startScores?.[i] }, rules).state;
    const anomalies = state.active ? viewFeatures(contributingFeatures(features, rules.min)) : {};
    return {
      score: score ?? 0,
      anomaly: state.active,
      anomalies,
      mse,
      nll,
      range_score: rangeScore ?? ranges[i]!,
      ...(causalScore !== undefined && { causal_score: causalScore }),
    };
  });
  return { stats, state };
}

function viewFeatures(features: Readonly<Record<string, FeatureScore>>): PointStat["anomalies"] {
  return Object.fromEntries(
    Object.entries(features).map(([name, { type, score, evidence }]) => [name, { type, score, ...evidence }]),
  );
}

/** `stats` of a long range; yields to the event loop. @throws TorusError `canceled` */
export async function detectInSteps(
  scores: readonly PointScore[],
  { startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">,
  {
    rules,
    startScores: allStartScores,
    signal,
  }: Pick<DetectOptions, "rules" | "startScores"> & { readonly signal: AbortSignal },
): Promise<readonly PointStat[]> {
  const stats: PointStat[] = [];
  let before = normalState;
  await runInSteps(scores.length, { signal }, (from, to) => {
    const past = scores.slice(Math.max(0, from - RANGE_LENGTH), from);
    const start = { startAt: startAt + from * intervalMs, intervalMs };
    const startScores = allStartScores?.subarray(from, to);
    const detection = detect(scores.slice(from, to), start, { rules, before, past, startScores });
    before = detection.state;
    for (const stat of detection.stats) stats.push(stat);
  });
  return stats;
}

/** Features whose score alone would sustain an anomaly. */
export function contributingFeatures<F extends { readonly score: number }>(
  features: Readonly<Record<string, F>>,
  min: number,
): Record<string, F> {
  return Object.fromEntries(Object.entries(features).filter(([, { score }]) => score >= min));
}

/**
 * Power mean of the last 60 scores at each interval: (mean of score³)^(1/3). It locates anomalies better than the
 * score of a point, but later: for looking back, not for alarms.
 * @param scores 0..100; undefined where nothing was observed, which is left out
 * @returns 0..100, as long as `scores`
 */
export function rangeScores(scores: readonly (number | undefined)[]): number[] {
  const powers = scores.map((score) => (score === undefined ? Number.NaN : score ** RANGE_POWER));
  return powers.map((_, i) => {
    const last = powers
      .slice(Math.max(0, i - RANGE_LENGTH + 1), i + 1)
      .filter((power) => !Number.isNaN(power));
    if (last.length === 0) return 0;
    return (last.reduce((sum, power) => sum + power, 0) / last.length) ** (1 / RANGE_POWER);
  });
}
