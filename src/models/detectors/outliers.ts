// Unlabelled outliers of a training range: points far from the usual values at their time of day or week; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { measure } from "../series.ts";
import { outlierLimit } from "../stats/outliers.ts";
import { fitProfile, Seasonal } from "./seasonal.ts";
import type { Timeline } from "./timeline.ts";

/** Distance of the limit from the bulk, in units of `outlierLimit`: about nine deviations. */
const LIMIT_DISTANCES = 12;
/** Least limit, as a share of the series' deviation: in a series without noise small deviations are no outliers. */
const MIN_DEVIATION_SHARE = 0.5;
/** Days and weeks before and after a point that it is compared with, and the least number of them. */
const CYCLES = 3;
const MIN_CYCLES = 2;

/**
 * Marks the points to leave out of a training.
 * @param column NaN = missing
 * @param normal 1 at points labelled as false alarms, which are never outliers
 * @returns 1 at outliers
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

/** Distance from the median of the points whole cycles before and after; infinite if they are too few. */
function distanceFromCycles(column: Float64Array, i: number, lag: number): number {
  if (!Number.isInteger(lag)) return Number.POSITIVE_INFINITY;
  const turns: number[] = [];
  for (let k = 1; k <= CYCLES; k++)
    for (const other of [column[i - k * lag], column[i + k * lag]])
      if (other !== undefined && Number.isFinite(other)) turns.push(other);
  if (turns.length < MIN_CYCLES) return Number.POSITIVE_INFINITY;
  const sorted = turns.sort((a, b) => a - b);
  // Of two middle values take the nearer: a value that recurs half of the time is usual.
  const middle = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return Math.min(...middle.map((value) => Math.abs(column[i]! - value)));
}
