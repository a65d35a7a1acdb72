// History of a forecast: eight weeks, of a series with a yearly cycle ten years of days.
import { DAY_MS } from "../../../core/time/time.ts";
import { MAX_DAYS } from "../members/seasonal-medians.ts";
import { type Cycles, calendarCycles } from "./cycles.ts";

/** Most intervals of history of a forecast. */
export const MAX_HISTORY = 100_000;
/** Intervals that are read where there is a yearly cycle: ten years of days. */
const MAX_LONG = 3660;

/** Intervals of history of a forecast. */
export function historyLength({ intervalMs, cycles = calendarCycles(intervalMs) }: HistoryOf): number {
  return cycles.year === undefined ? recentLength(intervalMs) : MAX_LONG;
}

interface HistoryOf {
  readonly intervalMs: number;
  readonly cycles?: Cycles | undefined;
}

/** Newest intervals, of which days and weeks are compared: eight weeks. */
export function recentLength(intervalMs: number): number {
  return Math.min(MAX_HISTORY, Math.max(MAX_DAYS, Math.ceil((MAX_DAYS * DAY_MS) / intervalMs)));
}
