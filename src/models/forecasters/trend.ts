// Trend of a forecast: a robust slope measured at the origin, removed before the members run, damped by days; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../core/time/time.ts";
import { pickEvenly } from "../stats/indices.ts";
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { oneOf, positiveShare, type Stored, strict } from "../stored-schema.ts";
import { beginOf, type Series } from "./local-time.ts";

/** Days of history that a slope is measured over: all that members read, or the newest two weeks. */
export const TREND_SPANS = { steady: 56, recent: 14, short: 56 };
/** Differences are taken over whole weeks, so that weekdays compare with themselves; of a short history over days. */
const WEEK = 7;
/** Least number of days of a slope over whole weeks, and over days. */
const MIN_DAYS = { weeks: 2 * WEEK, days: 4 };
/** Points of a day whose differences are taken. */
const MAX_POINTS = 48;
/** Standard error of a median, relative to that of a mean. */
const MEDIAN_ERROR = 1.25;
/** Standard errors by which a slope may differ from that of the newest two weeks. */
const MAX_DEVIATIONS = 2.5;
/** Mean absolute error of the slope in standard errors: twice that of a normal one, for days are not independent. */
const SLOPE_ERRORS = 1.6;
/** Bound of the logarithm of a multiplicative trend over a forecast: its exponential stays finite. */
const MAX_LOG = 10;

const kinds = ["additive", "multiplicative"] as const;
const spans = ["steady", "recent", "short"] as const;

export const ForecastTrendSchema = Type.Object(
  {
    kind: oneOf(kinds),
    span: oneOf(spans),
    /** Share of the slope that remains after a day; 1: the trend goes on for ever. */
    damping: positiveShare,
  },
  strict,
);
export type ForecastTrend = Stored<typeof ForecastTrendSchema>;

/** Trend at an origin. */
export interface TrendLine {
  readonly kind: ForecastTrend["kind"];
  /** Change per day, of the values or of their logarithms. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
  /** Intervals before the origin that it was measured over; before them the trend is taken to stand still. */
  readonly span: number;
  readonly damping: number;
  /** Intervals of a day, or 1 if an interval is longer. */
  readonly day: number;
}

/** Intervals of a day, fractions included; at least 1. */
export function dayOf(intervalMs: number): number {
  return Math.max(1, DAY_MS / intervalMs);
}

/**
 * The trend at an origin, from the values before it; undefined with less than two weeks of them, or four days of a
 * short history. A steady one is limited to what the newest two weeks allow.
 */
export function measureTrend(
  { kind, span, damping }: ForecastTrend,
  series: Series,
  origin: number,
): TrendLine | undefined {
  const day = dayOf(series.intervalMs);
  // A forecast reads as many days as members may use; a younger series begins in between.
  const begin = beginOf(series.column);
  const known = Math.floor((origin - begin) / day);
  const isWeekly = span !== "short" || known >= MIN_DAYS.weeks;
  if (known < (isWeekly ? MIN_DAYS.weeks : MIN_DAYS.days)) return undefined;
  const unit = isWeekly ? WEEK : 1;
  const measure = (days: number) => measureSlope(kind, series, { origin, days: Math.min(days, known), unit });
  const recent = measure(TREND_SPANS.recent);
  const own = measure(TREND_SPANS[span]);
  if (!Number.isFinite(recent.slope) || !Number.isFinite(own.slope)) return undefined;
  const tolerated = MAX_DEVIATIONS * recent.error;
  const slope = clamp(own.slope, recent.slope - tolerated, recent.slope + tolerated);
  return { kind, slope, error: own.error, span: own.span, damping, day };
}

interface SlopeInput {
  readonly origin: number;
  /** Whole days before the origin. */
  readonly days: number;
  /** Days of which the compared values are a multiple apart: about half of `days`. */
  readonly unit: number;
}

/** Median difference per day, NaN if unknown, and its standard error by the days. */
function measureSlope(
  kind: ForecastTrend["kind"],
  { column, intervalMs }: Series,
  { origin, days, unit }: SlopeInput,
): { readonly slope: number; readonly error: number; readonly span: number } {
  const day = dayOf(intervalMs);
  const apart = Math.floor(days / (2 * unit)) * unit;
  const lag = Math.round(apart * day);
  const span = Math.round(days * day);
  const points = pickEvenly(Math.round(day), MAX_POINTS);
  const differences = Array.from({ length: days - apart }, (_, part) => {
    const from = origin - span + lag + Math.round(part * day);
    const inside = points.map((k) => from + k).filter((i) => i < origin);
    return inside.map((i) => difference(kind, column[i]!, column[i - lag]!));
  });
  const slope = medianOf(differences.flat()) / apart;
  const byDay = differences.map((own) => medianOf(own) / apart - slope);
  const spread = MAD_TO_DEVIATION * medianOf(byDay.map(Math.abs));
  return { slope, error: (MEDIAN_ERROR * spread) / Math.sqrt(days - apart), span };
}

/** Change from one value to another, of the values or of their logarithms. */
export function difference(kind: ForecastTrend["kind"], later: number, earlier: number): number {
  return kind === "additive" ? later - earlier : Math.log(later / earlier);
}

/** Change of the trend from its origin to `days` later; damped. */
export function growthOf({ slope, damping }: Pick<TrendLine, "slope" | "damping">, days: number): number {
  return slope * (damping === 1 ? days : (1 - damping ** days) / -Math.log(damping));
}

/** The series without its trend, as it would continue from the level at the origin. */
export function flattenTrend(line: TrendLine, series: Series, origin: number): Series {
  const { column, intervalMs, local } = series;
  if (!local) return { column: flattenColumn(line, column, origin), intervalMs };
  const flat = flattenColumn(line, local.column, local.startOf(origin));
  return { column: flattenColumn(line, column, origin), intervalMs, local: { ...local, column: flat } };
}

function flattenColumn(
  { kind, slope, span, day }: TrendLine,
  column: Float64Array,
  origin: number,
): Float64Array {
  return column.map((value, i) => {
    const amount = slope * (Math.max(i - origin, -span) / day);
    return kind === "additive" ? value - amount : value / Math.exp(amount);
  });
}

/** Adds the trend to a forecast of the flattened series, which is at the level of lead 0. */
export function addTrend(line: TrendLine, forecast: Float64Array, leads: ArrayLike<number>): Float64Array {
  return forecast.map((value, k) =>
    line.kind === "additive"
      ? value + growthOf(line, Math.max(0, leads[k]!) / line.day)
      : value * factorAt(line, leads[k]!),
  );
}

/** Factor by which a multiplicative trend scales the errors at a lead; 1 if additive. */
export function factorAt(line: TrendLine, lead: number): number {
  if (line.kind === "additive") return 1;
  return Math.exp(clamp(growthOf(line, Math.max(0, lead) / line.day), -MAX_LOG, MAX_LOG));
}

/** Mean absolute error at a lead that the error of the slope makes. @param predicted forecast, trend included */
export function slopeErrorAt(line: TrendLine, lead: number, predicted: number): number {
  const error = (SLOPE_ERRORS * line.error * Math.max(0, lead + 1)) / line.day;
  return line.kind === "additive" ? error : error * Math.abs(predicted);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
