// Gross anomalies of a training range that nobody has flagged: points far from all that is usual at their time; pure.

import { measure } from "../series.ts";
import { outlierLimit } from "../stats/outliers.ts";
import { fitProfile, Seasonal } from "./seasonal.ts";
import { DAY_MS, type Timeline } from "./timeline.ts";

/** How far beyond the bulk of distances from the profile a point must lie: about nine deviations of normal ones. */
const LIMIT_DISTANCES = 12;
/** And beyond this share of the series' deviation: of a series without noise nothing is gross that is small. */
const MIN_DEVIATION_SHARE = 0.5;
/** Days, and weeks, before and after a point with which it is compared; with fewer than two of them it is not. */
const CYCLES = 3;
const MIN_CYCLES = 2;

/**
 * 1 where a point is no part of normal: windows with it in them would be learnt, and its neighbours look odd.
 * @param column NaN = missing
 * @param normal 1 where people said that a point is normal, however odd
 */
export function markOutliers(column: Float64Array, timeline: Timeline, normal?: Uint8Array): Uint8Array {
  const usual = new Seasonal(fitProfile(column, timeline), timeline);
  const distances = column.map((value, i) => Math.abs(value - usual.expect(i)));
  const limit = Math.max(
    outlierLimit(distances, LIMIT_DISTANCES),
    MIN_DEVIATION_SHARE * measure(column).deviation,
  );
  const day = DAY_MS / timeline.intervalMs;
  const recurs = (i: number) => [day, 7 * day].some((lag) => distanceFromCycles(column, i, lag) <= limit);
  return Uint8Array.from(distances, (distance, i) =>
    Number(distance > limit && normal?.[i] !== 1 && !recurs(i)),
  );
}

/** From the median of the points so many intervals before and after; infinite where there are too few. */
function distanceFromCycles(column: Float64Array, i: number, lag: number): number {
  if (!Number.isInteger(lag)) return Number.POSITIVE_INFINITY;
  const turns: number[] = [];
  for (let k = 1; k <= CYCLES; k++)
    for (const other of [column[i - k * lag], column[i + k * lag]])
      if (other !== undefined && Number.isFinite(other)) turns.push(other);
  if (turns.length < MIN_CYCLES) return Number.POSITIVE_INFINITY;
  const sorted = turns.sort((a, b) => a - b);
  // Of an even number the middle one that is nearer: what recurs half of the time is usual.
  const middle = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return Math.min(...middle.map((value) => Math.abs(column[i]! - value)));
}
