// Local days as numbers since the epoch: day of the week, first and last day of a month; pure.
import { DAY_MS } from "../../core/time/time.ts";
import type { Timeline } from "../detectors/timeline.ts";

/** Day of the week of the epoch, a Thursday; Monday = 0. */
const EPOCH_WEEKDAY = 3;
const SATURDAY = 5;
const WEEK = 7;

/** Local time of an instant, ms since the epoch on the local clock. */
export function localTimeAt(at: number, offsetAt: Timeline["offsetAt"]): number {
  return at + (offsetAt?.(at) ?? 0);
}

/** Number of the local day of a local time. */
export function dayOf(local: number): number {
  return Math.floor(local / DAY_MS);
}

/** Monday = 0. */
export function weekdayOf(day: number): number {
  return (((day + EPOCH_WEEKDAY) % WEEK) + WEEK) % WEEK;
}

export function isWeekend(day: number): boolean {
  return weekdayOf(day) >= SATURDAY;
}

/** From 1. */
export function dayOfMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCDate();
}

/** Counted back from the end of its month: -1 is the last day. */
export function dayFromMonthEnd(day: number): number {
  const date = new Date(day * DAY_MS);
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY_MS;
  return day - last - 1;
}

export function isMonthStart(day: number): boolean {
  return dayOfMonth(day) === 1;
}

export function isMonthEnd(day: number): boolean {
  return isMonthStart(day + 1);
}
