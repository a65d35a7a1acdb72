// How far the points of a series usually lie from what is expected: over all, and at the time of the season; pure.

import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { bandWidth } from "../stats/normal.ts";

/** The deviation is never below these shares of the series' own deviation and of its magnitude. */
const FLOOR = { deviation: 0.01, magnitude: 1e-9 };
/** Errors as small as this share of the largest are none. */
const EXACT_SHARE = 1e-9;
/** Where half of the errors are none, the others tell, if they are more than this share. */
const MIN_INEXACT_SHARE = 0.05;
/** However few anomalies there may be, the outermost errors do not tell: they are too few. */
const MAX_NORMAL_SHARE = 0.9;
/** Cycles before and after, and points beside, that tell how wide the errors are at one time of the season. */
const MAX_CYCLES = 8;
const NEIGHBOURS = 2;
/** With fewer errors nothing is said of one time of the season. */
const MIN_SAMPLE = 8;

/**
 * Robust deviation of the errors.
 * @param errors what is there minus what is expected; NaN = missing
 * @param maxRatio share of the points that may be anomalies, below 0.5: the others are normal, and tell
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
 * Deviation of the errors around point `i`: the overall one, or a larger one where other cycles have it at this time.
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
