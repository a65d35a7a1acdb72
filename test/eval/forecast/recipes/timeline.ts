// Times of the points of recipes: even steps, calendar months, business days, and local time.
import { holidaysOf } from "../../../../src/core/time/holidays.ts";

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;
export const WEEK = 7 * DAY;
/** Monday, 2024-01-01. */
export const MONDAY = Date.UTC(2024, 0, 1) / 1000;
const WORKDAYS = 5;

export function secondsOf(date: string): number {
  return Date.parse(date) / 1000;
}

/** Even steps from `start` on, seconds. */
export function every(step: number, start = MONDAY): (i: number) => number {
  return (i) => start + i * step;
}

/** The same day of each `months`th month; months that are shorter have it on their last day. @param start a date */
export function everyMonths(months: number, start: string): (i: number) => number {
  const [year, month, day] = start.split("-").map(Number) as [number, number, number];
  return (i) => {
    const index = month - 1 + i * months;
    const lastDay = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
    return Date.UTC(year, index, Math.min(day, lastDay)) / 1000;
  };
}

/** Mondays to Fridays from a Monday on. */
export function businessDays(start = MONDAY): (i: number) => number {
  return (i) => start + Math.floor(i / WORKDAYS) * WEEK + (i % WORKDAYS) * DAY;
}

export interface LocalTime {
  /** Days since the epoch. */
  readonly day: number;
  /** 0 = Monday. */
  readonly weekday: number;
  /** 0 to 24. */
  readonly hour: number;
}

/** Local time of a zone at a time in seconds. */
export function localTimeOf(zone: string): (at: number) => LocalTime {
  const offsetAt = makeOffsets(zone);
  return (at) => {
    const local = at + offsetAt(at);
    const day = Math.floor(local / DAY);
    return { day, weekday: (day + 3) % 7, hour: (local - day * DAY) / HOUR };
  };
}

/** Midnights of a zone, one a day. @param start a date */
export function localMidnights(zone: string, start: string): (i: number) => number {
  const offsetAt = makeOffsets(zone);
  const first = secondsOf(start);
  return (i) => {
    const midnight = first + i * DAY;
    return midnight - offsetAt(midnight - offsetAt(midnight));
  };
}

/** Seconds that a zone is ahead of UTC, looked up once an hour. */
function makeOffsets(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const known = new Map<number, number>();
  return (at) => {
    const hour = Math.floor(at / HOUR);
    const found = known.get(hour) ?? parseOffset(format.format(hour * HOUR * 1000));
    known.set(hour, found);
    return found;
  };
}

function parseOffset(text: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
}

/** Whether a local day is free: a Saturday, a Sunday, or a holiday of the country. */
export function freeDaysOf(country: string): (time: LocalTime) => boolean {
  const isHoliday = holidaysOf({ country });
  return ({ day, weekday }) => weekday >= WORKDAYS || isHoliday(day);
}

export const utc = localTimeOf("UTC");
