// Trend of a series: a robust level and slope by whole days; additive or multiplicative; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../core/time/time.ts";
import { fitProfile, holdsSeason, Seasonal } from "../detectors/seasons/seasonal.ts";
import { LONGEST_OF_DAY_MS, type Timeline } from "../detectors/timeline.ts";
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { oneOf, positive, type Stored, strict } from "../stored-schema.ts";
import { dayOf, localTimeAt } from "./local-day.ts";

/**
 * Least number of whole days; of fewer than a week only a steady line is a trend, as part of a week may rise, too. One
 * point says less of its day than many.
 */
const MIN_DAYS = 3;
const SURE_DAYS = { ofHours: 7, ofDays: 14 };
/** Blocks of a steady line, and its least rise over the range, in deviations of their means around it. */
const BLOCK_MS = DAY_MS / 4;
const STEADY_RISE = 40;
/** Days from which slopes compare equal weekdays. */
const WEEKLY_DAYS = 14;
export const WEEK = 7;
/** Share of a day that must be observed. */
export const MIN_OBSERVED = 0.7;
/** Least share of pairs of days that agree on the sign of the slope. */
const MIN_AGREEMENT = 0.9;
/** Least rise over the range, in deviations of the days around the line. */
const MIN_RISE = 4;
/** A multiplicative trend must reduce the spread around the profile to this share of the additive one. */
const MULTIPLICATIVE_GAIN = 0.95;
/** Bound of a logarithmic level: its exponential stays finite. */
const MAX_LOG = 100;

const Segment = Type.Object(
  {
    /** Start, ms since the epoch. */
    fromAt: Type.Number(),
    /** Level at the start, and its change per day: in units of the data, or their logarithms if multiplicative. */
    level: Type.Number(),
    slope: Type.Number(),
  },
  strict,
);
export type Segment = Stored<typeof Segment>;

/** The trend of a training range; 0 (or a factor of 1) at its end. */
export const TrendSchema = Type.Object(
  {
    kind: oneOf(["additive", "multiplicative"]),
    ...Segment.properties,
    /** Mean of a day at level 0, and by weekday (0 = Thursday, the first day of the epoch) the deviation from it. */
    center: Type.Number(),
    weekdays: Type.Array(Type.Number(), { minItems: WEEK, maxItems: WEEK }),
    /** Deviation of the days around the line. */
    spread: positive,
  },
  strict,
);
export type Trend = Stored<typeof TrendSchema>;

/** Mean of the values of a whole day, or of their logarithms. */
interface DayLevel {
  /** Number of the day since the epoch. */
  readonly day: number;
  readonly level: number;
}

/** Fits the trend of a training range; undefined if it has none that is significant. @param column NaN = missing */
export function fitTrend(column: Float64Array, timeline: Timeline): Trend | undefined {
  const endAt = timeline.startAt + column.length * timeline.intervalMs;
  const sureDays = timeline.intervalMs > LONGEST_OF_DAY_MS ? SURE_DAYS.ofDays : SURE_DAYS.ofHours;
  const isWeekly = timeline.intervalMs <= DAY_MS;
  const fit = (kind: Trend["kind"]) => {
    const days = dayLevels(kind, column, timeline);
    const trend = fitLine(kind, days, { endAt, isWeekly: isWeekly && days.length >= WEEKLY_DAYS });
    return trend && (days.length >= sureDays || isSteady(trend, column, timeline)) ? trend : undefined;
  };
  const first = fit("additive");
  const isPositive = column.every((value) => Number.isNaN(value) || value > 0);
  const second = isPositive ? fit("multiplicative") : undefined;
  if (!first || !second) return first ?? second;
  const spreadOf = (trend: Trend) => spreadAround(column, trend, timeline);
  return spreadOf(second) < MULTIPLICATIVE_GAIN * spreadOf(first) ? second : first;
}

/** The column without its trend. @param amounts see `trendOf` */
export function flatten(trend: Trend, column: Float64Array, amounts: Float64Array): Float64Array {
  return trend.kind === "additive"
    ? column.map((value, i) => value - amounts[i]!)
    : column.map((value, i) => value / amounts[i]!);
}

/** Inverse of `flatten`. */
export function restore(trend: Trend, column: Float64Array, amounts: Float64Array): Float64Array {
  return trend.kind === "additive"
    ? column.map((value, i) => value + amounts[i]!)
    : column.map((value, i) => value * amounts[i]!);
}

/** Trend per interval, to be removed from the column. @returns offsets, or factors if multiplicative */
export function trendOf(trend: Trend, { startAt, intervalMs }: Timeline, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => toAmount(trend, levelAt(trend, startAt + i * intervalMs)));
}

/** The trend that stays at its level of an instant (ms since the epoch). */
export function heldAt(trend: Trend, at: number): Trend {
  return { ...trend, fromAt: at, level: levelAt(trend, at), slope: 0 };
}

/** A value, or its logarithm of a multiplicative trend. */
export function transform(kind: Trend["kind"], value: number): number {
  return kind === "additive" ? value : Math.log(Math.max(value, Number.MIN_VALUE));
}

/** Means of the whole days of a column. */
function dayLevels(kind: Trend["kind"], column: Float64Array, timeline: Timeline): DayLevel[] {
  const { startAt, intervalMs, offsetAt } = timeline;
  const byDay = new Map<number, { sum: number; count: number }>();
  let [day, own] = [Number.NaN, { sum: 0, count: 0 }];
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!;
    if (!Number.isFinite(value)) continue;
    const at = startOfDay(startAt + i * intervalMs, offsetAt);
    // A clock that is set back at midnight returns to a day.
    if (at !== day) [day, own] = [at, byDay.get(at) ?? { sum: 0, count: 0 }];
    if (own.count === 0) byDay.set(at, own);
    own.sum += transform(kind, value);
    own.count++;
  }
  return [...byDay].flatMap(([at, { sum, count }]) =>
    count * intervalMs >= MIN_OBSERVED * DAY_MS ? [{ day: Math.round(at / DAY_MS), level: sum / count }] : [],
  );
}

/** Median slope of pairs of days (Theil 1950, Sen 1968); undefined unless it is significant. */
function fitLine(
  kind: Trend["kind"],
  days: readonly DayLevel[],
  { endAt, isWeekly }: { endAt: number; isWeekly: boolean },
): Trend | undefined {
  if (days.length < MIN_DAYS) return undefined;
  const slopes = days.flatMap((later, j) =>
    days
      .slice(0, j)
      .filter((earlier) => !isWeekly || (later.day - earlier.day) % WEEK === 0)
      .map((earlier) => (later.level - earlier.level) / (later.day - earlier.day)),
  );
  const slope = medianOf(slopes);
  const agreeing = slopes.filter((other) => Math.sign(other) === Math.sign(slope)).length;
  // The middle of a day stands for it.
  const rest = days.map(({ day, level }) => ({ day, level: level - slope * (day + 0.5 - endAt / DAY_MS) }));
  const center = medianOf(rest.map(({ level }) => level));
  const weekdays = Array.from({ length: WEEK }, (_, weekday) => {
    const own = rest.filter(({ day }) => day % WEEK === weekday).map(({ level }) => level - center);
    return isWeekly && own.length > 0 ? medianOf(own) : 0;
  });
  const distances = rest.map(({ day, level }) => Math.abs(level - center - weekdays[day % WEEK]!));
  const spread = Math.max(MAD_TO_DEVIATION * medianOf(distances), 1e-9 * (Math.abs(center) || 1));
  const isSignificant =
    slope !== 0 &&
    agreeing >= MIN_AGREEMENT * slopes.length &&
    Math.abs(slope) * (days.length - 1) >= MIN_RISE * spread;
  return isSignificant ? { kind, fromAt: endAt, level: 0, slope, center, weekdays, spread } : undefined;
}

/** Whether the means of the quarters of the days lie close to the line: neither a season nor a wandering level does. */
function isSteady({ kind, slope }: Trend, column: Float64Array, { startAt, intervalMs }: Timeline): boolean {
  const length = Math.max(1, Math.round(BLOCK_MS / intervalMs));
  const rest: number[] = [];
  for (let from = 0; from + length <= column.length; from += length) {
    const values = column.subarray(from, from + length).filter(Number.isFinite);
    if (values.length < MIN_OBSERVED * length) continue;
    const mean = values.reduce((sum, value) => sum + transform(kind, value), 0) / values.length;
    const middleAt = startAt + (from + length / 2) * intervalMs;
    rest.push(mean - (slope * middleAt) / DAY_MS);
  }
  const center = medianOf(rest);
  const spread = MAD_TO_DEVIATION * medianOf(rest.map((value) => Math.abs(value - center)));
  return (Math.abs(slope) * column.length * intervalMs) / DAY_MS >= STEADY_RISE * spread;
}

/** Median distance from the profile, as a share of that from the median. */
function spreadAround(column: Float64Array, trend: Trend, timeline: Timeline): number {
  const rest = flatten(trend, column, trendOf(trend, timeline, column.length));
  const present = [...rest.keys()].filter((i) => Number.isFinite(rest[i]!));
  const days = holdsSeason(column.length, timeline.intervalMs, WEEK) ? WEEK : 1;
  const usual = new Seasonal(fitProfile(rest, timeline, { days }), timeline);
  const center = medianOf(present.map((i) => rest[i]!));
  const distance = (from: (i: number) => number) =>
    medianOf(present.map((i) => Math.abs(rest[i]! - from(i))));
  return (
    distance((i) => usual.expect(i)) /
    Math.max(
      Number.MIN_VALUE,
      distance(() => center),
    )
  );
}

/** Level of a segment at an instant (ms since the epoch). */
export function levelAt({ fromAt, level, slope }: Segment, at: number): number {
  return level + (slope * (at - fromAt)) / DAY_MS;
}

/** What a level takes off the values: an offset, or a factor if multiplicative. */
export function toAmount({ kind }: Pick<Trend, "kind">, level: number): number {
  return kind === "additive" ? level : Math.exp(Math.max(-MAX_LOG, Math.min(MAX_LOG, level)));
}

/** Start of the local day of an instant, on the local clock, ms. */
export function startOfDay(at: number, offsetAt: Timeline["offsetAt"]): number {
  return dayOf(localTimeAt(at, offsetAt)) * DAY_MS;
}
