// Spikes of a series: points far from the median of their neighbours (Hampel identifier; Davies, Gather 1993); pure.
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { subtract } from "./expectation.ts";
import { RollingMedian } from "./rolling-median.ts";

/** Neighbours on either side: longer stretches are no spike. */
const REACH = 2;
/** Distance of a spike, in robust deviations. */
const DEVIATIONS = 4;
/** Least deviation, as a share of that of the series. */
const FLOOR_SHARE = 0.02;

/** The column with the median of its neighbours in place of each spike. @param column NaN = missing */
export function removeSpikes(column: Float64Array): Float64Array {
  const median = new RollingMedian(column, 2 * REACH + 1);
  const usual = column.map((_value, i) =>
    median.over(Math.max(0, i - REACH), Math.min(column.length, i + REACH + 1)),
  );
  const errors = subtract(column, usual);
  const center = medianOf(column);
  const least = FLOOR_SHARE * deviationOf(column.map((value) => value - center));
  const limit = DEVIATIONS * Math.max(least, deviationOf(errors));
  return column.map((value, i) => (Math.abs(errors[i]!) > limit ? usual[i]! : value));
}

/** Robust deviation from 0; the mean size where most are 0, and 1 where all are. */
export function deviationOf(errors: Float64Array): number {
  const sizes = errors.filter(Number.isFinite).map(Math.abs);
  const mean = sizes.reduce((sum, size) => sum + size / sizes.length, 0);
  return MAD_TO_DEVIATION * medianOf(sizes) || mean || 1;
}
