// Choice of the trend of a forecast by a backtest over whole weeks: one that would not have helped is left out; pure.
import { pickEvenly } from "../stats/indices.ts";
import { medianOf } from "../stats/median.ts";
import type { Series } from "./local-time.ts";
import {
  dayOf,
  difference,
  type ForecastTrend,
  flattenTrend,
  growthOf,
  measureTrend,
  TREND_SPANS,
} from "./trend.ts";

const WEEK = 7;
/** Days before the first origin: the least that a slope is measured over. */
const MIN_DAYS = 2 * WEEK;
/** Newest days that the backtest reads. */
const MAX_DAYS = 3 * TREND_SPANS.steady;
const MAX_WEEKS = 8;
/** Points of a day that are compared with those of later weeks. */
const MAX_POINTS = 48;
const DAMPINGS = [1, 0.95, 0.85];
/** A trend must reduce the error of standing still to this share. */
const MAX_ERROR = 0.7;
/** A trend must reduce the spread of the weeks to this share. */
const MAX_SPREAD = 0.7;
/** A damped trend must reduce the error of one that goes on to this share, for late forecasts of a limit are the worse ones. */
const DAMPED_GAIN = 0.7;
/** A slope of the newest weeks must reduce the error of the whole history's to this share. */
const RECENT_GAIN = 0.85;
/** Growth of the spread relative to that of the level, both as logarithms, from which a trend is multiplicative. */
const MIN_SPREAD_GROWTH = 0.7;
/** Least growth of the level, as a logarithm, from which that is visible. */
const MIN_LEVEL_GROWTH = 0.1;

/** The trend with the least error; undefined if none is much better than standing still. */
export function chooseTrend(series: Series): ForecastTrend | undefined {
  const recent = newest(series);
  const kind = kindOf(recent);
  const candidates = (["steady", "recent"] as const).flatMap((span) =>
    DAMPINGS.map((damping): ForecastTrend => ({ kind, span, damping })),
  );
  const errors = backtest(recent, candidates);
  const favoured = errors.map((error, k) => error / gainOf(candidates[k]!));
  const best = candidates.reduce((a, _, b) => (favoured[b]! < favoured[a]! ? b : a), 0);
  return errors[best]! < MAX_ERROR && narrows(recent, candidates[best]!) ? candidates[best] : undefined;
}

function newest({ column, intervalMs }: Series): Series {
  return { column: column.slice(-Math.ceil(MAX_DAYS * dayOf(intervalMs))), intervalMs };
}

/** Share to which a candidate must reduce the error of a steady trend that goes on. */
function gainOf({ span, damping }: ForecastTrend): number {
  return (damping === 1 ? 1 : DAMPED_GAIN) * (span === "steady" ? 1 : RECENT_GAIN);
}

/** Errors of the candidates relative to standing still; NaN if the history is too short. */
function backtest(series: Series, candidates: readonly ForecastTrend[]): number[] {
  const day = dayOf(series.intervalMs);
  const days = Math.floor(series.column.length / day);
  const errors = candidates.map(() => 0);
  let still = 0;
  for (let at = MIN_DAYS; at + WEEK <= days; at++) {
    const origin = series.column.length - Math.round((days - at) * day);
    const lines = candidates.map((trend) => measureTrend(trend, series, origin));
    for (let weeks = 1; weeks <= MAX_WEEKS && at + WEEK * weeks <= days; weeks++) {
      const change = changeAfter(series, origin, {
        kind: candidates[0]!.kind,
        lag: Math.round(weeks * WEEK * day),
      });
      if (!Number.isFinite(change)) continue;
      still += Math.abs(change) / weeks;
      for (const [k, line] of lines.entries())
        errors[k]! += Math.abs(change - (line ? growthOf(line, weeks * WEEK) : 0)) / weeks;
    }
  }
  return errors.map((error) => error / still);
}

/** Median change of the values of the day before an origin, `lag` intervals later. */
function changeAfter(
  { column, intervalMs }: Series,
  origin: number,
  { kind, lag }: { readonly kind: ForecastTrend["kind"]; readonly lag: number },
): number {
  const day = Math.round(dayOf(intervalMs));
  return medianOf(
    pickEvenly(day, MAX_POINTS).map((k) =>
      difference(kind, column[origin - day + k + lag]!, column[origin - day + k]!),
    ),
  );
}

/** Whether the means of the weeks lie closer together without the trend: a line through a sawtooth does not narrow them. */
function narrows(series: Series, trend: ForecastTrend): boolean {
  const { length } = series.column;
  const line = measureTrend({ ...trend, span: "steady" }, series, length);
  if (!line) return false;
  const [before, after] = [series, flattenTrend(line, series, length)].map(({ column }) => {
    const means = weeklyMeans(column, Math.round(WEEK * line.day));
    return spreadOf(means) / Math.abs(medianOf(means));
  });
  return after! < MAX_SPREAD * before!;
}

/** Means of the whole weeks, the newest last. */
function weeklyMeans(column: Float64Array, week: number): Float64Array {
  const weeks = Math.floor(column.length / week);
  return Float64Array.from({ length: weeks }, (_, k) => {
    const from = column.length - (weeks - k) * week;
    const present = column.subarray(from, from + week).filter(Number.isFinite);
    return present.reduce((sum, value) => sum + value, 0) / present.length;
  });
}

/** Multiplicative if season and noise grow with the level, from the first weeks to the last. */
function kindOf(series: Series): ForecastTrend["kind"] {
  const { column, intervalMs } = series;
  const line = measureTrend({ kind: "additive", span: "steady", damping: 1 }, series, column.length);
  if (!line || column.some((value) => value <= 0)) return "additive";
  const length = Math.round(Math.floor(column.length / line.day / (2 * WEEK)) * WEEK * dayOf(intervalMs));
  const flat = flattenTrend(line, series, column.length).column;
  const grown = (of: (part: Float64Array) => number, values: Float64Array) =>
    Math.log(of(values.subarray(-length)) / of(values.subarray(0, length)));
  const level = grown(medianOf, column);
  const spread = grown(spreadOf, flat);
  const isVisible = Math.abs(level) > MIN_LEVEL_GROWTH;
  return isVisible && spread / level > MIN_SPREAD_GROWTH ? "multiplicative" : "additive";
}

/** Mean distance from the median. */
function spreadOf(values: Float64Array): number {
  const center = medianOf(values);
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value - center), 0) / present.length;
}
