// Choice of the trend of a forecast by a backtest: one that would not have helped much is left out; pure.
import { pickEvenly } from "../stats/indices.ts";
import { medianOf } from "../stats/median.ts";
import { beginOf, type Series } from "./local-time.ts";
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
/** Newest days that the backtest reads. */
const MAX_DAYS = 3 * TREND_SPANS.steady;
const MAX_STEPS = 8;
/** Points of a day that are compared with later ones. */
const MAX_POINTS = 48;
const DAMPINGS = [1, 0.95, 0.85];

/** Conditions of a trend. */
interface Criterion {
  /** Days of a step: origins are compared with what follows after whole steps. */
  readonly step: number;
  /** Days before the first origin. */
  readonly fromDay: number;
  /** Shares to which it must reduce the error of standing still, and the spread of the means of the steps. */
  readonly maxError: number;
  readonly maxSpread: number;
}

const byWeeks: Criterion = { step: WEEK, fromDay: 2 * WEEK, maxError: 0.7, maxSpread: 0.7 };
/** Of less than three weeks, in which a weekend may look like a trend: stricter. */
const byDays: Criterion = { step: 1, fromDay: 4, maxError: 0.3, maxSpread: 0.3 };
/** Least days of history for either. */
const MIN_DAYS = { weeks: 3 * WEEK, days: WEEK };

/** A damped trend must reduce the error of one that goes on to this share, for late forecasts of a limit are the worse ones. */
const DAMPED_GAIN = 0.7;
/** A slope of the newest weeks must reduce the error of the whole history's to this share. */
const RECENT_GAIN = 0.85;
/** Growth of the spread relative to that of the level, both as logarithms, from which a trend is multiplicative. */
const MIN_SPREAD_GROWTH = 0.7;
/** Spread around a multiplicative trend, in that around a line, from which the line is clearly better. */
const MAX_STRAIGHT = 1.5;
/** Least growth of the level, as a logarithm, from which that is visible. */
const MIN_LEVEL_GROWTH = 0.1;

/** The trend with the least error; undefined if none is much better than standing still. */
export function chooseTrend(series: Series): ForecastTrend | undefined {
  const days = Math.floor((series.column.length - beginOf(series.column)) / dayOf(series.intervalMs));
  if (days < MIN_DAYS.days) return undefined;
  const recent = newest(series);
  if (days < MIN_DAYS.weeks) return best(recent, [{ kind: "additive", span: "short", damping: 1 }], byDays);
  const kind = kindOf(recent);
  const candidates = (["steady", "recent"] as const).flatMap((span) =>
    DAMPINGS.map((damping): ForecastTrend => ({ kind, span, damping })),
  );
  return best(recent, candidates, byWeeks);
}

function best(
  series: Series,
  candidates: readonly ForecastTrend[],
  criterion: Criterion,
): ForecastTrend | undefined {
  const errors = backtest(series, candidates, criterion);
  const favoured = errors.map((error, k) => error / gainOf(candidates[k]!));
  const least = candidates.reduce((a, _, b) => (favoured[b]! < favoured[a]! ? b : a), 0);
  const chosen = candidates[least]!;
  return errors[least]! < criterion.maxError && narrows(series, chosen, criterion) ? chosen : undefined;
}

function newest({ column, intervalMs }: Series): Series {
  return { column: column.slice(-Math.ceil(MAX_DAYS * dayOf(intervalMs))), intervalMs };
}

/** Share to which a candidate must reduce the error of a steady trend that goes on. */
function gainOf({ span, damping }: ForecastTrend): number {
  return (damping === 1 ? 1 : DAMPED_GAIN) * (span === "recent" ? RECENT_GAIN : 1);
}

/** Errors of the candidates relative to standing still; NaN if the history is too short. */
function backtest(
  series: Series,
  candidates: readonly ForecastTrend[],
  { step, fromDay }: Criterion,
): number[] {
  const day = dayOf(series.intervalMs);
  const days = Math.floor(series.column.length / day);
  const { kind } = candidates[0]!;
  const errors = candidates.map(() => 0);
  let still = 0;
  for (let at = fromDay; at + step <= days; at++) {
    const origin = series.column.length - Math.round((days - at) * day);
    const lines = candidates.map((trend) => measureTrend(trend, series, origin));
    for (let steps = 1; steps <= MAX_STEPS && at + steps * step <= days; steps++) {
      const change = changeAfter(series, origin, { kind, lag: Math.round(steps * step * day) });
      if (!Number.isFinite(change)) continue;
      still += Math.abs(change) / steps;
      for (const [k, line] of lines.entries())
        errors[k]! += Math.abs(change - (line ? growthOf(line, steps * step) : 0)) / steps;
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

/** Whether the means of the steps lie closer together without the trend: a line through a sawtooth does not narrow them. */
function narrows(series: Series, { kind, span }: ForecastTrend, { step, maxSpread }: Criterion): boolean {
  const { length } = series.column;
  const whole = { kind, span: span === "recent" ? "steady" : span, damping: 1 } as const;
  const line = measureTrend(whole, series, length);
  if (!line) return false;
  const [before, after] = [series, flattenTrend(line, series, length)].map(({ column }) => {
    const means = meansOf(column, Math.round(step * line.day));
    return spreadOf(means) / Math.abs(medianOf(means));
  });
  return after! < maxSpread * before!;
}

/** Means of the whole steps, the newest last. */
function meansOf(column: Float64Array, size: number): Float64Array {
  const count = Math.floor(column.length / size);
  return Float64Array.from({ length: count }, (_, k) => {
    const from = column.length - (count - k) * size;
    const present = column.subarray(from, from + size).filter(Number.isFinite);
    return present.reduce((sum, value) => sum + value, 0) / present.length;
  });
}

/** Multiplicative if season and noise grow with the level, from the first weeks to the last, and it bends as that. */
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
  if (!isVisible || spread / level <= MIN_SPREAD_GROWTH) return "additive";
  const curve = measureTrend({ kind: "multiplicative", span: "steady", damping: 1 }, series, column.length);
  const bent = curve && flattenTrend(curve, series, column.length).column;
  // Of either as a share of the level that it is around.
  const isStraight =
    !bent || spreadOf(bent) / medianOf(bent) > MAX_STRAIGHT * (spreadOf(flat) / medianOf(column));
  return isStraight ? "additive" : "multiplicative";
}

/** Mean distance from the median. */
function spreadOf(values: Float64Array): number {
  const center = medianOf(values);
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value - center), 0) / present.length;
}
