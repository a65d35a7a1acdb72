// Scaled timeline: maps a period of any length to a day, for detectors with daily seasons; pure.
import { DAY_MS } from "../../core/time/time.ts";

/** Interval without a season: so long that no daily or weekly season applies. */
const SEASONLESS_MS = 8 * DAY_MS;

/** A timeline on which a period lasts a day. */
export interface ScaledTimeline {
  readonly startAt: number;
  readonly intervalMs: number;
}

/** Starts in the middle of an interval, so that rounding never shifts a point to the interval before. */
export function scaleTimeline(period: number): ScaledTimeline {
  const intervalMs = period > 0 ? DAY_MS / period : DAY_MS;
  return { startAt: intervalMs / 2, intervalMs };
}

/**
 * Length of an interval on the scaled timeline.
 * @param period in intervals; 0 = no season
 * @param intervalMs actual length of an interval, if known
 */
export function scaleInterval(period: number, intervalMs = SEASONLESS_MS): number {
  return period > 0 ? DAY_MS / period : intervalMs;
}
