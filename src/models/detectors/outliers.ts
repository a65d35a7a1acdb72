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
/** Time by which what recurs may come early or late, ms: a job does not begin at the same second each night. */
const JITTER_MS = 900_000;
/** Distance of a value that comes early or late, as a share of the limit: on a steep slope other values are near, too. */
const JITTERED_SHARE = 0.5;

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
  const jitter = Math.floor(JITTER_MS / timeline.intervalMs);
  const recurs = (i: number) =>
    [day, 7 * day].some(
      (lag) =>
        distanceFromCycles(column, i, { lag, jitter: 0 }) <= limit ||
        distanceFromCycles(column, i, { lag, jitter }) <= JITTERED_SHARE * limit,
    );
  return Uint8Array.from(distances, (distance, i) =>
    Number(distance > limit && normal?.[i] !== 1 && !recurs(i)),
  );
}

/**
 * Median distance from the nearest points whole cycles before and after; infinite if they are too few.
 * @param lag points of a cycle
 * @param jitter points by which a cycle may be shorter or longer
 */
function distanceFromCycles(
  column: Float64Array,
  i: number,
  { lag, jitter }: { lag: number; jitter: number },
): number {
  if (!Number.isInteger(lag)) return Number.POSITIVE_INFINITY;
  const distances: number[] = [];
  for (let k = -CYCLES; k <= CYCLES; k++) {
    if (k === 0) continue;
    const at = i + k * lag;
    const around = column.subarray(Math.max(0, at - jitter), Math.max(0, at + jitter + 1));
    const off = around.filter(Number.isFinite).map((value) => Math.abs(column[i]! - value));
    if (off.length > 0) distances.push(Math.min(...off));
  }
  if (distances.length < MIN_CYCLES) return Number.POSITIVE_INFINITY;
  // The lower median: a value that recurs half of the time is usual.
  return distances.sort((a, b) => a - b)[(distances.length - 1) >> 1]!;
}
