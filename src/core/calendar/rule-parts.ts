// Parts of a recurrence rule of iCalendar (RFC 5545, 3.3.10), as written.

export const frequencies = [
  "YEARLY",
  "MONTHLY",
  "WEEKLY",
  "DAILY",
  "HOURLY",
  "MINUTELY",
  "SECONDLY",
] as const;
type Frequency = (typeof frequencies)[number];

/** A weekday of BYDAY, 0 = Sunday; `nth` counts from the start of the month or year, from its end where negative. */
export interface WeekdayRule {
  readonly day: number;
  readonly nth?: number;
}

/** Parts that are absent do not limit. Lists hold the numbers as written. */
export interface Rule {
  readonly freq: Frequency;
  /** At least 1. */
  readonly interval: number;
  readonly count?: number;
  /** Last start that is possible, in wall-clock time of the event. */
  readonly until?: number;
  /** First day of the week, 0 = Sunday. */
  readonly weekStart: number;
  readonly months?: readonly number[];
  readonly weeks?: readonly number[];
  readonly yearDays?: readonly number[];
  readonly monthDays?: readonly number[];
  readonly weekdays?: readonly WeekdayRule[];
  readonly hours?: readonly number[];
  readonly minutes?: readonly number[];
  readonly seconds?: readonly number[];
  readonly positions?: readonly number[];
}
