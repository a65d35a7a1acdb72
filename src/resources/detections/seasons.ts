// Seasons of a posted series: the period that it shows or the request gives, a week, one beside the days.
import { invalid } from "../../core/errors.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { withoutOutages } from "../../models/forecasters/history/outage.ts";
import { calendarCycles } from "../../models/forecasters/season/cycles.ts";
import type { Seasons } from "../../models/stateless/expectation.ts";
import { removeSpikes } from "../../models/stateless/spikes.ts";
import { isCertain, type PartedCycle, partsOf } from "../../models/stats/certain-cycle.ts";
import { findExtraPeriod } from "../../models/stats/extra-period.ts";
import { detectPeriod } from "../../models/stats/period.ts";
import { isSteady } from "../../models/stats/steady-period.ts";
import type { PlacedSeries } from "./series-body.ts";

/** Newest intervals that period detection uses. */
const PERIOD_HISTORY = 16_384;
const DAYS_OF_WEEK = 7;
/** A weekly period is tried if the series is that long, or shows that it is certain. */
const MIN_WEEKS = 3;
/** Least length of a period, in intervals. */
const MIN_PERIOD = 2;
/** With fewer intervals of a day, the season of a week is one like others. */
const MIN_PER_DAY = 2;

/** @param given period of the request, in intervals. @throws TorusError `invalid` */
export function periodOf(series: PlacedSeries, given: number | undefined): number {
  const { column } = series;
  if (given === undefined) return findPeriod(recentOf(series), intervalOf(series));
  if (given === 1) throw invalid("period", "must be 0, for a series without a period, or at least 2");
  if (2 * given > column.length) {
    const half = Math.floor(column.length / 2);
    throw invalid(
      "period",
      `must be at most ${half}, half of the ${column.length} intervals: send more points`,
    );
  }
  return given;
}

/** The newest intervals without outages, which hide a season, or seem to repeat at a lag of their own. */
function recentOf(series: PlacedSeries): Float64Array {
  const cycles = calendarCycles(intervalOf(series) ?? Number.POSITIVE_INFINITY);
  return withoutOutages(series.column.slice(-PERIOD_HISTORY), cycles);
}

/** Where none is found, spikes may hide it: a single one does in a short series. */
function findPeriod(column: Float64Array, intervalMs: number | undefined): number {
  const find = (own: Float64Array) => detectPeriod(own, { intervalMs }).period;
  return find(column) || find(removeSpikes(column)) || findCertain(column, intervalMs);
}

/** A day or a week that two of them prove; 0 without one. */
function findCertain(column: Float64Array, intervalMs = Number.POSITIVE_INFINITY): number {
  const day = DAY_MS / intervalMs;
  const cycles = [
    { length: day, parts: partsOf.day },
    { length: DAYS_OF_WEEK * day, parts: partsOf.week },
  ];
  const isPeriod = ({ length }: PartedCycle) => Number.isInteger(length) && length >= MIN_PERIOD;
  return cycles.find((cycle) => isPeriod(cycle) && isCertain(column, cycle))?.length ?? 0;
}

/** A week in intervals, if the period fits in it and the series is long enough. */
function weekOf(series: PlacedSeries, period: number): number | undefined {
  const intervalMs = intervalOf(series);
  const day = intervalMs === undefined ? 0 : DAY_MS / intervalMs;
  const week = DAYS_OF_WEEK * day;
  const fits = period > 0 && day >= MIN_PER_DAY && Number.isInteger(day) && week % period === 0;
  if (!fits) return undefined;
  const isSeen = MIN_WEEKS * week <= series.column.length;
  return isSeen || isCertain(series.column, { length: week, parts: partsOf.week }) ? week : undefined;
}

/** Seasons that a detection compares with; a given period is the only one. */
export function seasonsOf(series: PlacedSeries, given: number | undefined): Seasons {
  const found = periodOf(series, given);
  if (given !== undefined) return { period: found };
  const day = DAY_MS / (intervalOf(series) ?? Number.NaN);
  // A few days repeat by chance after other times, too.
  const extra = DAYS_OF_WEEK * day <= series.column.length ? extraOf(series) : undefined;
  const isOfDays = day % found === 0 || found === DAYS_OF_WEEK * day;
  // The extra season itself, or one that both repeat after, would hide the days.
  const own = extra ? day : found && isSteady(series.column, found) ? found : 0;
  const period = isOfDays ? found : own;
  return { period, week: weekOf(series, period), extra };
}

/** A season beside the day and the week. */
export function extraOf(series: PlacedSeries): number | undefined {
  const intervalMs = intervalOf(series);
  return intervalMs ? findExtraPeriod(recentOf(series), intervalMs) : undefined;
}

export function intervalOf({ step }: PlacedSeries): number | undefined {
  return step.kind === "fixed" ? step.ms : undefined;
}
