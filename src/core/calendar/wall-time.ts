// Wall-clock times of iCalendar: dates and times as written, and the instants they stand for in a time zone; pure.
import { DAY_MS } from "../time/time.ts";

/** Offset of local time from UTC at an instant (ms since the epoch), ms. */
export type OffsetAt = (at: number) => number;

/** A date or time as written. */
export interface WallTime {
  /** Its fields as if they were UTC, ms since the epoch. */
  readonly ms: number;
  /** Absent: local time of the reader, a floating time (RFC 5545, 3.3.5). */
  readonly offsetAt?: OffsetAt;
  /** A date without a time. */
  readonly isDate: boolean;
}

/** UTC as a zone. */
export const utc: OffsetAt = () => 0;

/**
 * The instant of a wall-clock time. One that a switch of the offset repeats is the first of both; one that it skips is
 * read with the offset before the switch (RFC 5545, 3.3.5).
 * @param ms its fields as if they were UTC
 * @returns ms since the epoch
 */
export function instantOf(ms: number, offsetAt: OffsetAt): number {
  const day = Math.floor(ms / DAY_MS) * DAY_MS;
  // Whole days around it, so that few offsets are asked for; no offset is longer than a day.
  const before = offsetAt(day - DAY_MS);
  const after = offsetAt(day + 2 * DAY_MS);
  if (before === after) return ms - before;
  const found = [ms - before, ms - after].filter((at) => at + offsetAt(at) === ms);
  return found.length > 0 ? Math.min(...found) : ms - before;
}

/** The local day of an instant, in days since the epoch. */
export function localDayOf(at: number, offsetAt: OffsetAt): number {
  return Math.floor((at + offsetAt(at)) / DAY_MS);
}
