// Score scale, 0..100 from the tail probability over normal data, and automatic thresholds; pure.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { DAY_MS, WEEK_MS } from "../../core/time/time.ts";
import { errorFunction } from "../stats/normal.ts";

/** Decades of probability from score 0 to score 100: 100 = one point in a million or rarer. */
export const DECADES = 6;
/** Ratio of the automatic end threshold to the start threshold. */
const HYSTERESIS = 0.5;

/** Default of `expected_false_alarms`, per week. */
export const DEFAULT_FALSE_ALARMS = 1;

/** Setting `score_scale`. */
type ScoreScale = "rarity" | "sigma";

/** `100 · min(1, -log10(p) / 6)`: 33 = one point in 100, 50 = one in 1 000, 100 = one in a million. */
export function scoreOf(probability: number): number {
  if (!(probability > 0)) return probability === 0 ? 100 : 0;
  return 100 * Math.min(1, Math.max(0, -Math.log10(probability) / DECADES));
}

/** Score of a rarity in decades, -log10(p). */
export function scoreOfRarity(decades: number): number {
  return 100 * Math.min(1, Math.max(0, decades / DECADES));
}

/** Rarity of a score in decades, at most 6: the inverse of `scoreOfRarity`, or of `100 (1 - p)` for `sigma`. */
export function rarityOfScore(score: number, scale: ScoreScale = "rarity"): number {
  const decades = scale === "sigma" ? -Math.log10(1 - score / 100) : (score * DECADES) / 100;
  return Math.min(DECADES, decades);
}

/** `100 · (2 Φ(|z|) - 1)`: the share of a normal distribution that lies closer to its mean. @param z in deviations */
export function sigmaScore(z: number): number {
  return 100 * errorFunction(Math.abs(z) / Math.SQRT2);
}

/** Tail probability of a score: the inverse of `scoreOf`. */
export function probabilityOf(score: number): number {
  return 10 ** ((-score * DECADES) / 100);
}

/** Points per false alarm at least: those of a week of hours, and of days and longer steps those of more than a year. */
const FEWEST_POINTS = { ofHours: 168, ofDays: 500 };

interface FalseAlarms {
  /** Of all judges together; a point of a judge raises one less often than one in `FEWEST_POINTS`. */
  readonly perWeek?: number | undefined;
  /** What judges each point: they have equal parts of `perWeek`. */
  readonly judges?: number | undefined;
  readonly scale?: ScoreScale | undefined;
}

/**
 * Thresholds with which normal data start `perWeek` anomalies a week, or fewer where a week has few points.
 * @param intervalMs length of one interval
 */
export function automaticThresholds(
  intervalMs: number,
  { perWeek = DEFAULT_FALSE_ALARMS, judges = 1, scale = "rarity" }: FalseAlarms = {},
): Thresholds {
  const fewest = intervalMs < DAY_MS ? FEWEST_POINTS.ofHours : FEWEST_POINTS.ofDays;
  const probability = Math.min(1, perWeek * Math.min(intervalMs / WEEK_MS / judges, 1 / fewest));
  // Below 100, the highest score, so that it can be exceeded.
  if (scale === "sigma")
    return { max: Math.min(99.99, 100 * (1 - probability)), min: Math.min(99, 100 * (1 - 10 * probability)) };
  const max = scoreOf(probability);
  return { max: clampThreshold(max), min: clampThreshold(max * HYSTERESIS) };
}

/** Below 100, so that a score can exceed it, and above 0, so that an anomaly can end. */
function clampThreshold(score: number): number {
  return Math.min(95, Math.max(1, Math.round(score * 10) / 10));
}
