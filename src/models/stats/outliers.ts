// Robust outlier bounds of a training range, hardly moved by the outliers themselves; pure.

/** Distance from the median beyond which values are outliers, in robust deviations. */
const OUTLIER_DEVIATIONS = 6;
/** Width of the central nine tenths of a normal distribution, in deviations. */
const CENTRAL_WIDTH = 3.29;
/** Least number of values for bounds. */
const MIN_VALUES = 50;
/** Largest share of outliers: more of them are part of the normal behaviour. */
const MAX_SHARE = 0.1;

/** Bounds of the usual values; infinite if unknown. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

const unbounded: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Bounds around the median, by the width of the central nine tenths. NaN = missing. */
export function outlierBounds(column: Float64Array): Bounds {
  const sorted = column.filter(Number.isFinite).sort();
  if (sorted.length < MIN_VALUES) return unbounded;
  const deviation = (quantileOf(sorted, 0.95) - quantileOf(sorted, 0.05)) / CENTRAL_WIDTH;
  // Mostly constant: every other value would be an outlier.
  if (!(deviation > 0)) return unbounded;
  const median = quantileOf(sorted, 0.5);
  return { low: median - OUTLIER_DEVIATIONS * deviation, high: median + OUTLIER_DEVIATIONS * deviation };
}

/** The value, or the bound it lies beyond. */
export function clampToBounds(value: number, { low, high }: Bounds): number {
  return Math.max(low, Math.min(high, value));
}

/**
 * Limit above which the statistics of a training range are outliers; infinite if none or too many exceed it.
 * @param reach distance of the limit from the 80 % quantile, in units of that quantile's distance from the median
 */
export function outlierLimit(statistics: Float64Array, reach: number): number {
  const sorted = statistics.filter(Number.isFinite).sort();
  if (sorted.length < MIN_VALUES) return Number.POSITIVE_INFINITY;
  const upper = quantileOf(sorted, 0.8);
  const spread = upper - quantileOf(sorted, 0.5);
  if (!(spread > 0)) return Number.POSITIVE_INFINITY;
  const limit = upper + reach * spread;
  const beyond = sorted.length - sorted.findIndex((value) => value > limit);
  return beyond > sorted.length || beyond > MAX_SHARE * sorted.length ? Number.POSITIVE_INFINITY : limit;
}

/** @param sorted ascending, not empty */
export function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
