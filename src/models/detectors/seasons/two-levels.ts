// Two levels of a series with next to no values between them, as a compressor that is off or on; each may have noise.
import { quantileOf } from "../../stats/outliers.ts";

/** Least share of the points at either level. */
const LEAST_SHARE = 0.02;
/** Part of the way from one level to the other that is between them, and most points there, as a share of the rarer level. */
const BETWEEN = { from: 0.3, to: 0.7 };
const MOST_BETWEEN = 0.2;
/** Least distance of the levels, in deviations of the values at either. */
const LEAST_DISTANCE = 6;

/** In units of the data. */
export interface TwoLevels {
  /** Median of the values at the lower level. */
  readonly lower: number;
  readonly upper: number;
}

/** @param sorted values without missing ones, ascending @returns undefined where values are not at one of two levels */
export function findTwoLevels(sorted: Float64Array): TwoLevels | undefined {
  const split = splitOf(sorted);
  const least = LEAST_SHARE * sorted.length;
  if (split < least || sorted.length - split < least) return undefined;
  const [low, high] = [sorted.subarray(0, split), sorted.subarray(split)];
  const [lower, upper] = [quantileOf(low, 0.5), quantileOf(high, 0.5)];
  const distance = upper - lower;
  // Of values near the largest double.
  if (distance === Number.POSITIVE_INFINITY) return undefined;
  if (!(distance >= LEAST_DISTANCE * Math.max(deviationOf(low), deviationOf(high)))) return undefined;
  const [from, to] = [lower + BETWEEN.from * distance, lower + BETWEEN.to * distance];
  const between = sorted.filter((value) => value > from && value < to).length;
  return between <= MOST_BETWEEN * Math.min(low.length, high.length) ? { lower, upper } : undefined;
}

/** Number of the values in the lower of two groups, whose means differ most for their sizes (Otsu, 1979). */
function splitOf(sorted: Float64Array): number {
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let [best, most, sum] = [0, 0, 0];
  for (let count = 1; count < sorted.length; count++) {
    sum += sorted[count - 1]!;
    const difference = sum / count - (total - sum) / (sorted.length - count);
    const spread = count * (sorted.length - count) * difference * difference;
    if (spread > most && sorted[count]! > sorted[count - 1]!) [best, most] = [count, spread];
  }
  return best;
}

/** Half of the range of the middle two thirds: the deviation of normal values, whatever those at the ends are. */
function deviationOf(sorted: Float64Array): number {
  return (quantileOf(sorted, 5 / 6) - quantileOf(sorted, 1 / 6)) / 2;
}
