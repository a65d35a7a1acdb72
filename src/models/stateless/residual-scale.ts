// Robust scale of the residuals of a series, overall and by time of the season; pure.
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { bandWidth } from "../stats/normal.ts";

/** Least scale, as shares of the series' deviation and of its magnitude. */
const FLOOR = { deviation: 0.01, magnitude: 1e-9 };
/** Residuals up to this share of the largest are zero. */
const EXACT_SHARE = 1e-9;
/** Least share of other residuals to be used alone if half of the residuals are zero. */
const MIN_INEXACT_SHARE = 0.05;
/** Largest quantile used for the scale. */
const MAX_NORMAL_SHARE = 0.9;
/** Cycles before and after, and neighbours on either side, for the scale at a time of the season. */
const MAX_CYCLES = 8;
const NEIGHBOURS = 2;
/** Least residuals for the scale at a time of the season. */
const MIN_SAMPLE = 8;

/**
 * Robust deviation of the residuals.
 * @param errors observed minus expected; NaN = missing
 * @param maxRatio largest share of anomalies, below 0.5
 */
export function residualScale(errors: Float64Array, column: Float64Array, maxRatio: number): number {
  const sizes = errors.filter(Number.isFinite).map(Math.abs);
  const largest = sizes.reduce((max, size) => Math.max(max, size), 0);
  const inexact = sizes.filter((size) => size > EXACT_SHARE * largest);
  const isExact = 2 * inexact.length < sizes.length;
  const sample = isExact && inexact.length > MIN_INEXACT_SHARE * sizes.length ? inexact : sizes;
  const level = Math.min(MAX_NORMAL_SHARE, 1 - maxRatio);
  const wide = (sizes.sort()[Math.floor(level * sizes.length)] ?? 0) / bandWidth(level);
  return Math.max(MAD_TO_DEVIATION * (medianOf(sample) || 0), wide, floorOf(column));
}

function floorOf(column: Float64Array): number {
  const present = column.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value / present.length, 0);
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2 / present.length, 0);
  const magnitude = FLOOR.magnitude * Math.abs(mean);
  return Math.max(FLOOR.deviation * Math.sqrt(variance), magnitude, Number.MIN_VALUE);
}

/**
 * Scale at point `i`: the overall one, or a larger one of the other cycles at the same time of the season.
 * @param period 0 = no season
 */
export function seasonalScaleAt(errors: Float64Array, i: number, { period, overall }: SeasonalScale): number {
  if (period === 0) return overall;
  const sizes: number[] = [];
  for (let cycle = -MAX_CYCLES; cycle <= MAX_CYCLES; cycle++) {
    if (cycle === 0) continue;
    for (let k = -NEIGHBOURS; k <= NEIGHBOURS; k++) {
      const error = errors[i + cycle * period + k];
      if (error !== undefined && !Number.isNaN(error)) sizes.push(Math.abs(error));
    }
  }
  return sizes.length < MIN_SAMPLE ? overall : Math.max(overall, MAD_TO_DEVIATION * medianOf(sizes));
}

export interface SeasonalScale {
  readonly period: number;
  readonly overall: number;
}
