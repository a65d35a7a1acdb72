// How long an interval is to those who know days and weeks only: a period of any length is a day to them; pure.
import { DAY_MS } from "../detectors/timeline.ts";

/** Without a season, and without a clock, a day and a week shall not be seen. */
const SEASONLESS_MS = 8 * DAY_MS;

/** A scale for those who know times of day: each interval of a period is one of a day. */
export interface ScaledTimeline {
  readonly startAt: number;
  readonly intervalMs: number;
}

/** Begins within an interval: fractions of a ms then never make a point one of the interval before. */
export function scaleTimeline(period: number): ScaledTimeline {
  const intervalMs = period > 0 ? DAY_MS / period : DAY_MS;
  return { startAt: intervalMs / 2, intervalMs };
}

/**
 * @param period intervals of a season, 0 = there is none
 * @param intervalMs length of an interval, where one is known
 */
export function scaleInterval(period: number, intervalMs = SEASONLESS_MS): number {
  return period > 0 ? DAY_MS / period : intervalMs;
}
