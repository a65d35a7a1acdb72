// The score people see: 0..100 from how rarely normal data of this series would look so odd; and automatic thresholds.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { WEEK_MS } from "../../core/time/time.ts";

/** Decades of probability from score 0 to score 100: 100 = one point in a million or rarer. */
export const DECADES = 6;
/** An automatic anomaly ends at this share of the score that starts one. */
const HYSTERESIS = 0.5;

/** What scores mean, see the setting `score_scale`. */
export type ScoreScale = "rarity" | "sigma";

/** `100 · min(1, -log10(p) / 6)`: 33 = one point in 100, 50 = one in 1 000, 100 = one in a million. */
export function scoreOf(probability: number): number {
  if (!(probability > 0)) return probability === 0 ? 100 : 0;
  return 100 * Math.min(1, Math.max(0, -Math.log10(probability) / DECADES));
}

/** The same from decades of rarity: -log10(p). */
export function scoreOfRarity(decades: number): number {
  return 100 * Math.min(1, Math.max(0, decades / DECADES));
}

/** `100 · (2 Φ(|z|) - 1)`: the share of a normal distribution that lies closer to its mean. @param z in deviations */
export function sigmaScore(z: number): number {
  return 100 * errorFunction(Math.abs(z) / Math.SQRT2);
}

/** erf(x) for x >= 0, to 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const poly = horner([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0], t);
  return 1 - poly * Math.exp(-x * x);
}

/** Tail probability that has this score. */
export function probabilityOf(score: number): number {
  return 10 ** ((-score * DECADES) / 100);
}

/**
 * Thresholds that let normal data start `perWeek` anomalies a week.
 * @param intervalMs length of one interval: how many chances a week has
 */
export function automaticThresholds(
  intervalMs: number,
  { perWeek = 0.5, scale = "rarity" }: { perWeek?: number | undefined; scale?: ScoreScale | undefined } = {},
): Thresholds {
  const probability = Math.min(1, (perWeek * intervalMs) / WEEK_MS);
  // Short of 100, or nothing could exceed it.
  if (scale === "sigma")
    return { max: Math.min(99.99, 100 * (1 - probability)), min: Math.min(99, 100 * (1 - 10 * probability)) };
  const max = scoreOf(probability);
  return { max: clampThreshold(max), min: clampThreshold(max * HYSTERESIS) };
}

/** Kept below 100, or nothing could exceed it; and above 0, or an anomaly would never end. */
function clampThreshold(score: number): number {
  return Math.min(95, Math.max(1, Math.round(score * 10) / 10));
}

/** z with P(|Z| < z) = level for a standard normal: half-width of a prediction band. Acklam's rational approximation. */
export function bandWidth(level: number): number {
  return normalQuantile((1 + Math.min(0.999999, Math.max(0, level))) / 2);
}

const center = {
  a: [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239,
  ],
  b: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
};
const tail = {
  c: [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  d: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
};

/** Inverse of the standard normal distribution for p in [0.5, 1), to 1e-9 (P. J. Acklam, 2003). */
function normalQuantile(p: number): number {
  if (p <= 0.97575) {
    const q = p - 0.5;
    return (q * horner(center.a, q * q)) / horner(center.b, q * q);
  }
  const q = Math.sqrt(-2 * Math.log(1 - p));
  return -horner(tail.c, q) / horner(tail.d, q);
}

function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
