// Anomalies within a training range: bounds that a few gross ones cannot move, and which statistics are no part of normal; pure.

/** Values further than so many robust deviations from the median are gross outliers. */
const OUTLIER_DEVIATIONS = 6;
/** The central nine tenths of a normal distribution, in deviations. */
const CENTRAL_WIDTH = 3.29;
/** Fewer values say nothing about what is usual. */
const MIN_VALUES = 50;
/** More than this share is no contamination: it is what the series looks like. */
const MAX_SHARE = 0.1;

/** Values within are usual; infinite where nothing can be said. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

const unbounded: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Bounds around the median, by the spread of the central nine tenths. NaN = missing. */
export function outlierBounds(column: Float64Array): Bounds {
  const sorted = column.filter(Number.isFinite).sort();
  if (sorted.length < MIN_VALUES) return unbounded;
  const deviation = (quantileOf(sorted, 0.95) - quantileOf(sorted, 0.05)) / CENTRAL_WIDTH;
  // Mostly constant: whatever else there is must not be called an outlier.
  if (!(deviation > 0)) return unbounded;
  const median = quantileOf(sorted, 0.5);
  return { low: median - OUTLIER_DEVIATIONS * deviation, high: median + OUTLIER_DEVIATIONS * deviation };
}

/** The value, or the bound it lies beyond. */
export function clampToBounds(value: number, { low, high }: Bounds): number {
  return Math.max(low, Math.min(high, value));
}

/**
 * What "larger is odder" statistics of a training range must exceed to be no part of normal; infinite where nothing
 * is beyond, or too much of it for an exception.
 * @param reach how far beyond, in distances from the median to the 80 % quantile
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
function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
