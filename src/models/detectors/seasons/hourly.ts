// Spread of a series by the hour, and the distance of its last values by it: nights that are quieter than days; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS, HOUR_MS } from "../../../core/time/time.ts";
import { quantileOf } from "../../stats/outliers.ts";
import { positive, type Stored, strict } from "../../stored-schema.ts";
import type { Timeline } from "../timeline.ts";
import { aroundHalfHour, HALF_HOURS, halfHourOf } from "./half-hours.ts";
import { Seasonal, type SeasonalProfile } from "./seasonal.ts";

/** Least number of points of a half hour and those around it. */
const MIN_POINTS = 20;
/** Least number of days. */
const MIN_DAYS = 7;
/** Quantile of the distances that tells the spread, and that of a normal distribution: the median of rare counts is 0. */
const QUANTILE = 0.75;
const NORMAL_QUANTILE = 1.15;
/** Least spread, as a share of the series' deviation: where nothing moves the smallest change is rare. */
const FLOOR_SHARE = 0.05;
/** Least ratio of the largest spread to the smallest one: of hours that are alike `seasonal` knows the spread. */
const MIN_RATIO = 1.5;
/** Values judged together, ms, and their least and greatest number: one value of a quiet hour is noise. */
const STRETCH_MS = HOUR_MS / 2;
const MIN_SPAN = 2;
const MAX_SPAN = 30;

export const HourlyFitSchema = Type.Object(
  {
    /** Robust deviation from the usual value by half hour of the local day, in units of the data. */
    spreads: Type.Array(positive, { minItems: HALF_HOURS, maxItems: HALF_HOURS }),
  },
  strict,
);
export type HourlyFit = Stored<typeof HourlyFitSchema>;

/**
 * Fits the spread of each half hour.
 * @param column NaN = missing
 * @param usual usual values of the column
 * @param deviation of the column
 * @returns undefined where the hours vary alike, or too few days are known
 */
export function fitHourly(
  column: Float64Array,
  timeline: Timeline,
  { usual: profile, deviation }: { readonly usual: SeasonalProfile; readonly deviation: number },
): HourlyFit | undefined {
  const { intervalMs } = timeline;
  if (column.length * intervalMs < MIN_DAYS * DAY_MS || intervalMs > HOUR_MS) return undefined;
  const usual = new Seasonal(profile, timeline);
  const distances: number[][] = Array.from({ length: HALF_HOURS }, () => []);
  for (const [i, value] of column.entries())
    if (Number.isFinite(value)) distances[halfHourOf(i, timeline)]!.push(Math.abs(value - usual.expect(i)));
  const spreads = distances.map((_, slot) => {
    const spread = spreadOf(aroundHalfHour(distances, slot).flat());
    return Number(Math.max(spread, FLOOR_SHARE * deviation).toPrecision(4));
  });
  if (!spreads.every(Number.isFinite)) return undefined;
  return Math.max(...spreads) < MIN_RATIO * Math.min(...spreads) ? undefined : { spreads };
}

/** NaN of too few distances. */
function spreadOf(distances: readonly number[]): number {
  if (distances.length < MIN_POINTS) return Number.NaN;
  return quantileOf(Float64Array.from(distances).sort(), QUANTILE) / NORMAL_QUANTILE;
}

interface Known {
  readonly timeline: Timeline;
  readonly usual: Seasonal;
  /** The values before, gaps filled. */
  readonly column: Float64Array;
}

/**
 * Distance of a value and those of the half hour before it from the usual ones: root of the squared sum of their
 * deviations by number, in spreads of their hours, as noise without memory would leave it.
 * @returns undefined at the first points
 */
export function hourlyDistanceOf(
  { spreads }: HourlyFit,
  i: number,
  { timeline, usual, column }: Known,
): ((value: number) => number) | undefined {
  const span = Math.min(MAX_SPAN, Math.max(MIN_SPAN, Math.round(STRETCH_MS / timeline.intervalMs)));
  if (i < span - 1) return undefined;
  let before = 0;
  for (let k = i - span + 1; k < i; k++)
    before += (column[k]! - usual.expect(k)) / spreads[halfHourOf(k, timeline)]!;
  const [expected, spread] = [usual.expect(i), spreads[halfHourOf(i, timeline)]!];
  return (value) => Math.abs(before + (value - expected) / spread) / Math.sqrt(span);
}
