// Rhythm of alarms: how many started on each day and in each hour of the day, in UTC; pure.
import type { Range } from "../series/grid.ts";
import { DAY_MS, HOUR_MS } from "../time/time.ts";

const HOURS = 24;

interface Rhythm {
  /** Every day that the range touches, oldest first. */
  readonly days: readonly {
    /** Its start, seconds since the epoch. */ readonly at: number;
    readonly total: number;
  }[];
  /** From 0 to 23. */
  readonly hours: readonly number[];
}

/** @param alarms starts, ms since the epoch, all within the range */
export function countByTime(
  alarms: readonly { readonly startAt: number }[],
  { fromAt, toAt }: Range,
): Rhythm {
  const firstDay = Math.floor(fromAt / DAY_MS);
  const totals = Array.from({ length: Math.ceil(toAt / DAY_MS) - firstDay }, () => 0);
  const hours = Array.from({ length: HOURS }, () => 0);
  for (const { startAt } of alarms) {
    totals[Math.floor(startAt / DAY_MS) - firstDay]!++;
    hours[Math.floor(startAt / HOUR_MS) % HOURS]!++;
  }
  return { days: totals.map((total, i) => ({ at: ((firstDay + i) * DAY_MS) / 1000, total })), hours };
}
