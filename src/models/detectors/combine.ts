// Combination of the detectors of a point: a weighted mean of rarities, where windows with gaps count less.
import { calibrationAt } from "./calibration.ts";
import type { LocalTime } from "./seasons/recurring.ts";
import { type DetectorName, detectorNames, type Ensemble, type PerDetector } from "./types.ts";

/** Share of a window that must be observed for its detectors to count in full. */
const FULL_COVERAGE_SHARE = 0.5;

/**
 * Weighted mean of rarities, calibrated: as rare as such a mean is among normal points.
 * @param rarities of the detectors that judge the point, decades
 * @param coverage 0..1, see `coverageOf`: the weight that the window detectors lose goes to the seasonal one
 * @param time see `calibrate`
 */
export function combineRarities(
  ensemble: Pick<Ensemble, "detectors" | "calibration" | "agreement">,
  rarities: Readonly<PerDetector<number>>,
  coverage = 1,
  time?: LocalTime,
): number {
  return calibrationOfMeans(ensemble, coverage, time)(meanRarity(ensemble.detectors, rarities, coverage));
}

/** Rarity of a weighted mean of rarities, calibrated, see `combineRarities`. */
export function calibrationOfMeans(
  { calibration, agreement }: Pick<Ensemble, "calibration" | "agreement">,
  coverage = 1,
  time?: LocalTime,
): (mean: number) => number {
  if (calibration) return calibrationAt(calibration, time);
  return (mean) => mean / (1 - coverage * (1 - agreement));
}

/** Weighted mean of rarities, decades. */
export function meanRarity(
  detectors: Ensemble["detectors"],
  rarities: Readonly<PerDetector<number>>,
  coverage = 1,
): number {
  let sum = 0;
  let total = 0;
  for (const name of detectorNames) {
    const rarity = rarities[name];
    if (rarity === undefined) continue;
    const weight = shareOf(name, detectors[name]!.weight, coverage);
    sum += weight * rarity;
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

/** Weight of a detector at a coverage of its window. */
export function shareOf(name: DetectorName, weight: number, coverage: number): number {
  return name === "seasonal" ? weight : weight * coverage;
}

/** Share of the window before a point that its detectors can go by, 0..1: 1 where it is enough, 0 where it is nothing. */
export interface Coverage {
  /** Of what was observed. */
  readonly observed: number;
  /** Of what was observed outside of recent anomalies. */
  readonly usual: number;
}

/** Intervals, from the first one up to the one after the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Coverage of the window before each point. Weights decrease linearly from the preceding point to 0 a window earlier.
 * @param column NaN = missing
 * @param window length in intervals
 * @returns by interval and recent anomalies, which do not overlap
 */
export function coverageOf(
  column: Float64Array,
  window: number,
): (i: number, anomalies?: readonly Stretch[]) => Coverage {
  const before = Math.max(1, window - 1);
  // Prefix sums of the observed intervals and of their indices: the weighted sum of a window is two differences.
  const counts = new Float64Array(column.length + 1);
  const indices = counts.slice();
  for (const [i, value] of column.entries()) {
    const observed = Number(Number.isFinite(value));
    counts[i + 1] = counts[i]! + observed;
    indices[i + 1] = indices[i]! + observed * i;
  }
  const full = (FULL_COVERAGE_SHARE * before * (before + 1)) / 2;
  return (i, anomalies = []) => {
    const first = Math.max(0, i - before);
    const weightOf = ({ from, to }: Stretch) => {
      const [start, end] = [Math.max(first, from), Math.min(i, to)];
      if (start >= end) return 0;
      return indices[end]! - indices[start]! - (i - before - 1) * (counts[end]! - counts[start]!);
    };
    const observed = weightOf({ from: first, to: i });
    const odd = anomalies.reduce((sum, anomaly) => sum + weightOf(anomaly), 0);
    return { observed: Math.min(1, observed / full), usual: Math.min(1, (observed - odd) / full) };
  };
}
