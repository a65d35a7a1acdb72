// Steadiness of a period: cycles some way apart are as alike as neighbours, which those of uneven length are not; pure.
import { clipOutliers, removeMovingMean, removeTrend } from "./detrend.ts";
import { correlationAt } from "./period.ts";

/** Cycles that are compared: those that a usual value at one time is taken from. */
const FAR_CYCLES = 8;
/** Least strength after that many cycles, as a share of the strength after one. */
const MIN_FAR_STRENGTH = 0.5;

/** Whether the same time of other cycles tells what is usual. @param column NaN = missing */
export function isSteady(column: Float64Array, period: number): boolean {
  const fast = removeMovingMean(clipOutliers(removeTrend(column)), period);
  // Of pairs from half of the series, at least.
  const cycles = Math.min(FAR_CYCLES, Math.floor(column.length / period / 2));
  if (cycles < 2) return true;
  return correlationAt(fast, cycles * period) >= MIN_FAR_STRENGTH * correlationAt(fast, period);
}
