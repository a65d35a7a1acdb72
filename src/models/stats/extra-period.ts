// Extra period of a series with days: a season that is no part of a day or week, as of a job every 50 minutes; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { removeTrend } from "./detrend.ts";
import { mediansByPlace } from "./medians-by-place.ts";
import { detectPeriod, strengthAfter } from "./period.ts";

const DAYS_OF_WEEK = 7;
/** Least number of days, or weeks, that a daily or weekly course is known from. */
const MIN_CYCLES = 3;
/** Least share that repeats, of each of the two without the other. */
const MIN_STRENGTH = { extra: 0.5, day: 0.5 };

/**
 * Detects a period besides the day. Without the day it repeats, and without it the day does: otherwise one of them is all
 * there is.
 * @param column NaN = missing
 * @param intervalMs length of an interval
 * @returns intervals; undefined without one
 */
export function findExtraPeriod(column: Float64Array, intervalMs: number): number | undefined {
  const day = DAY_MS / intervalMs;
  const week = DAYS_OF_WEEK * day;
  if (!Number.isInteger(day)) return undefined;
  const flat = removeTrend(column);
  for (const length of [day, week]) {
    if (MIN_CYCLES * length > column.length) break;
    const { period, strength } = detectPeriod(withoutCourse(flat, length), { intervalMs });
    // What days leave may be the week.
    if (period === week) continue;
    if (period === 0 || strength < MIN_STRENGTH.extra || day % period === 0) return undefined;
    // Of whole days it holds the course of the day, as a rota of eight days does.
    if (day > 1 && period % day === 0) return period;
    return strengthAfter(withoutCourse(flat, period), day) >= MIN_STRENGTH.day ? period : undefined;
  }
  return undefined;
}

/** The column less the median of each place in a cycle. */
function withoutCourse(column: Float64Array, length: number): Float64Array {
  const medians = mediansByPlace(column, length, (i) => i % length);
  return column.map((value, i) => value - medians[i % length]!);
}
