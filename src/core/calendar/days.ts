// Days, weeks, months and years of wall-clock time as numbers; pure.
import { DAY_MS } from "../time/time.ts";

/** Days since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** First day of the week of a day. @param weekStart 0 = Sunday */
export function startOfWeek(day: number, weekStart: number): number {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

/** 0 = Sunday; day 0 of the epoch was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** With its century. */
export function yearOf(at: number): number {
  return new Date(at).getUTCFullYear();
}

/** Months since the year 0. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** Day since the epoch on which a month begins. */
export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}

/** 0 to 23. */
export function hourOf(at: number): number {
  return new Date(at).getUTCHours();
}

/** 0 to 59. */
export function minuteOf(at: number): number {
  return new Date(at).getUTCMinutes();
}

/** 0 to 59. */
export function secondOf(at: number): number {
  return new Date(at).getUTCSeconds();
}
