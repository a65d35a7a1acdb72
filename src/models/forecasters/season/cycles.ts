// Cycles of a series: day, week and year in its intervals, and the sets of them that a member removes; pure.
import { DAY_MS } from "../../../core/time/time.ts";

const DAYS_OF_WEEK = 7;
const DAYS_OF_YEAR = 365.25;
/** Least length of a cycle, in intervals. */
export const MIN_LENGTH = 2;
/** Least number of cycles in a history that a season is measured of. */
export const MIN_CYCLES = 2;

/** Lengths in intervals, fractions included; absent where an interval cannot show the cycle. */
export interface Cycles {
  readonly day?: number | undefined;
  readonly week?: number | undefined;
  readonly year?: number | undefined;
  /** Of a season beside day and week, see `findExtraPeriod`; such a series has no year. */
  readonly extra?: number | undefined;
}

/** A cycle that members of days and weeks forecast without, and add to their forecasts. */
export type AddedCycle = "year" | "extra";

/** That of a series. */
export function addedCycleOf({ year, extra }: Cycles): AddedCycle | undefined {
  return extra ? "extra" : year ? "year" : undefined;
}

/** Cycles that are removed together. */
export const seasonSets = [
  "none",
  "day",
  "week",
  "year",
  "day+year",
  "week+year",
  "extra",
  "day+extra",
  "week+extra",
] as const;
export type SeasonSet = (typeof seasonSets)[number];

/** Cycles of the calendar; a year only of intervals of a day or longer. */
export function calendarCycles(intervalMs: number): Cycles {
  const day = DAY_MS / intervalMs;
  const cycles = {
    day,
    week: DAYS_OF_WEEK * day,
    ...(intervalMs >= DAY_MS && { year: (DAYS_OF_YEAR * DAY_MS) / intervalMs }),
  };
  return Object.fromEntries(Object.entries(cycles).filter(([, length]) => length >= MIN_LENGTH));
}

/**
 * Cycles of a series with a season of a length: those of the calendar, where that is one of them, or comes beside them.
 * @param period in intervals; below 2: none is known
 * @param extra see `Cycles`
 * @param intervalMs absent if unknown
 * @param months length of an interval in months; absent if it is not a number of them
 */
export function cyclesOfPeriod(
  period: number,
  {
    intervalMs = Number.POSITIVE_INFINITY,
    months,
    extra,
  }: { intervalMs?: number | undefined; months?: number | undefined; extra?: number | undefined },
): Cycles {
  if (extra) return { ...calendarCycles(intervalMs), extra };
  const calendar = months ? { year: 12 / months } : calendarCycles(intervalMs);
  if (period < MIN_LENGTH || Object.values(calendar).some((cycle) => Math.abs(cycle - period) < 0.5))
    return calendar.year === period ? { year: period } : calendar;
  return { day: period, ...(calendar.year && calendar.year > period && { year: calendar.year }) };
}

/** A cycle of a set. */
export interface Cycle {
  readonly name: keyof Cycles;
  /** In intervals; infinite where the series has none. */
  readonly length: number;
}

/** Cycles of a set, ascending. */
export function cyclesOf(cycles: Cycles, set: SeasonSet): readonly Cycle[] {
  if (set === "none") return [];
  const names = set.split("+") as (keyof Cycles)[];
  return names.map((name) => ({ name, length: cycles[name] ?? Number.POSITIVE_INFINITY }));
}

/** Sets whose cycles `points` intervals hold. */
export function setsIn(cycles: Cycles, points: number, least = MIN_CYCLES): readonly SeasonSet[] {
  return seasonSets.filter((set) => cyclesOf(cycles, set).every(({ length }) => least * length <= points));
}

/** Share of the shortest cycle: a flank of a season looks like a slope. */
const TELLING_SHARE = 0.25;

/** Intervals of the shortest segment that tells a slope, in a history of `points`; 0 where that holds no cycle twice. */
export function tellingSpan(cycles: Cycles, points: number): number {
  const [shortest] = cyclesOf(cycles, setsIn(cycles, points).at(-1)!);
  return TELLING_SHARE * (shortest?.length ?? 0);
}
