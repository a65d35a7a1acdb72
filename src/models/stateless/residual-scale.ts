// Robust scale of the residuals of a series, overall and by time of the season; pure.
import { ROUNDING_SHARE } from "../stats/detrend.ts";
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { bandWidth } from "../stats/normal.ts";

/** Least scale, as a share of the series' deviation. */
const FLOOR_SHARE = 0.01;
/** Residuals up to this share of the largest are zero. */
const EXACT_SHARE = 1e-9;
/** Least share of other residuals to be used alone if half of the residuals are zero. */
const MIN_INEXACT_SHARE = 0.05;
/** Least number of separate occurrences among zeros, and their share of the points, with which they are not rare. */
const RECURRENCE = { count: 3, share: 0.002 };
/** Largest quantile used for the scale. */
const MAX_NORMAL_SHARE = 0.9;
/** Cycles before and after, and neighbours on either side, for the scale at a time of the season. */
const MAX_CYCLES = 8;
const NEIGHBOURS = 2;
/** Least residuals for the scale at a time of the season. */
const MIN_SAMPLE = 8;
/** Ratio to the scale around a time from which its own counts: a job of one interval is noisier than what lies beside it. */
const OWN_RATIO = 2;
const MIN_OWN = 4;
/**
 * Of a time that is always quiet, as a night without sun: least residuals, the share of the largest that is its scale, and
 * the least share of the overall one.
 */
const QUIET = { sample: 40, shareOfLargest: 2 / 3, least: 1 / 3 };

/**
 * Robust deviation of the residuals.
 * @param errors observed minus expected; NaN = missing
 * @param maxRatio largest share of anomalies, below 0.5
 */
export function residualScale(errors: Float64Array, column: Float64Array, maxRatio: number): number {
  const sizes = errors.filter(Number.isFinite).map(Math.abs);
  const largest = sizes.reduce((max, size) => Math.max(max, size), 0);
  const exact = EXACT_SHARE * largest;
  const inexact = sizes.filter((size) => size > exact);
  const isExact = 2 * inexact.length < sizes.length;
  const isUsual =
    inexact.length > MIN_INEXACT_SHARE * sizes.length || recursAmongZeros(errors, column, exact);
  const sample = isExact && isUsual ? inexact : sizes;
  const level = Math.min(MAX_NORMAL_SHARE, 1 - maxRatio);
  const wide = (sizes.sort()[Math.floor(level * sizes.length)] ?? 0) / bandWidth(level);
  return Math.max(MAD_TO_DEVIATION * (medianOf(sample) || 0), wide, floorOf(column));
}

/** Whether a column of zeros deviates again and again, as counts of rare events do; a burst counts once. */
function recursAmongZeros(errors: Float64Array, column: Float64Array, exact: number): boolean {
  const present = column.filter(Number.isFinite);
  const zeros = present.reduce((count, value) => count + Number(value === 0), 0);
  const isOff = (error: number | undefined) => Math.abs(error ?? 0) > exact;
  const starts = errors.reduce((n, error, i) => n + Number(isOff(error) && !isOff(errors[i - 1])), 0);
  const least = Math.max(RECURRENCE.count, RECURRENCE.share * present.length);
  return 2 * zeros > present.length && starts >= least;
}

function floorOf(column: Float64Array): number {
  const present = column.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value / present.length, 0);
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2 / present.length, 0);
  const rounding = ROUNDING_SHARE * Math.abs(mean);
  return Math.max(FLOOR_SHARE * Math.sqrt(variance), rounding, Number.MIN_VALUE);
}

/**
 * Scale at point `i`: the overall one, or that of the other cycles at the same time of the season where that is larger,
 * or always much smaller.
 * @param period 0 = no season
 */
export function seasonalScaleAt(errors: Float64Array, i: number, { period, overall }: SeasonalScale): number {
  if (period === 0) return overall;
  const sizes: number[] = [];
  const own: number[] = [];
  for (let cycle = -MAX_CYCLES; cycle <= MAX_CYCLES; cycle++) {
    if (cycle === 0) continue;
    for (let k = -NEIGHBOURS; k <= NEIGHBOURS; k++) {
      const error = errors[i + cycle * period + k];
      if (error === undefined || Number.isNaN(error)) continue;
      sizes.push(Math.abs(error));
      if (k === 0) own.push(Math.abs(error));
    }
  }
  if (sizes.length < MIN_SAMPLE) return overall;
  const quiet = Math.max(QUIET.shareOfLargest * Math.max(...sizes), QUIET.least * overall);
  if (sizes.length >= QUIET.sample && quiet < overall) return quiet;
  const around = Math.max(overall, MAD_TO_DEVIATION * medianOf(sizes));
  const alone = own.length < MIN_OWN ? 0 : MAD_TO_DEVIATION * medianOf(own);
  return alone > OWN_RATIO * around ? alone : around;
}

export interface SeasonalScale {
  readonly period: number;
  readonly overall: number;
}
