// Timeline of a grid: its intervals in the local time of the model, by which days and weeks are counted.
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { holidaysOf } from "../../core/time/holidays.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { offsetsOf } from "../../core/time/timezone.ts";

/** Longest interval that shows the course of a day: longer ones are totals of days, or nearly so. */
export const LONGEST_OF_DAY_MS = DAY_MS / 4;

export interface Timeline {
  /** Start of the first interval, ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  /** Offset of local time from UTC at an instant, ms; absent: local time is UTC. */
  readonly offsetAt?: ((at: number) => number) | undefined;
  /** From an instant to where its local time lies on this timeline, ms, see `layOutByClock`; absent: 0. */
  readonly shiftAt?: ((at: number) => number) | undefined;
  /** Whether a local day, a number of days since the epoch, is a holiday; absent: none is known. */
  readonly isHoliday?: ((day: number) => boolean) | undefined;
}

/** Place of an instant among the intervals, with fraction. @param at ms since the epoch */
export function placeOf({ startAt, intervalMs, shiftAt }: Timeline, at: number): number {
  return (at + (shiftAt?.(at) ?? 0) - startAt) / intervalMs;
}

/** Start of an interval, ms since the epoch. */
export function instantOf({ startAt, intervalMs, shiftAt }: Timeline, i: number): number {
  const at = startAt + i * intervalMs;
  return at - (shiftAt?.(at) ?? 0);
}

/** The timeline of a grid, in the time zone of the model and with its holidays. */
export function timelineOf(
  { timezone, holidays }: Pick<ModelSettings, "timezone" | "holidays">,
  { startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">,
): Timeline {
  const isHoliday = holidays && holidaysOf(holidays, timezone);
  return { startAt, intervalMs, offsetAt: offsetsOf(timezone), isHoliday };
}
