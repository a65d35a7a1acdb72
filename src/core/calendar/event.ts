// Events of an iCalendar text, as they are written.
import type { Rule } from "./rule-parts.ts";
import type { WallTime } from "./wall-time.ts";

/** An event as written. */
export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly start: WallTime;
  readonly duration: Duration;
  readonly rules: readonly Rule[];
  readonly added: readonly AddedDate[];
  readonly excluded: readonly WallTime[];
  /** Of a change to one occurrence: the start that it replaces. */
  readonly replaces?: WallTime;
  readonly isCancelled: boolean;
}

/** Days of the calendar, which a switch of the offset makes longer or shorter, and an exact time. */
export interface Duration {
  readonly days: number;
  readonly ms: number;
}

/** A date of RDATE; a period has a duration of its own. */
export interface AddedDate {
  readonly start: WallTime;
  readonly duration?: Duration;
}
