// Bounds of forecasts: those of the feature's settings, else those that the training range shows; pure.
import type { ForecastParameters } from "./parameters.ts";

/** Maxima of shares and percentages: others are never learned, for the largest value so far says little. */
const USUAL_MAXIMA = [1, 100];
/** Share of the values at the maximum from which it is one that cannot be exceeded. */
const MIN_SHARE = 0.01;
const MIN_COUNT = 3;

/** Least and greatest possible value, in units of the data; absent: not set. */
export interface Limits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Bounds in force; infinite without. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * The maximum that the values of a share or a percentage reach often and never exceed; undefined without. Whole numbers
 * up to 1 are rather counts.
 */
export function learnUpperBound(column: Float64Array): number | undefined {
  const present = column.filter(Number.isFinite);
  const max = USUAL_MAXIMA.find((bound) => present.every((value) => value >= 0 && value <= bound));
  if (max === undefined || (max === 1 && present.every(Number.isInteger))) return undefined;
  const atMaximum = present.filter((value) => value === max).length;
  return atMaximum >= Math.max(MIN_COUNT, MIN_SHARE * present.length) ? max : undefined;
}

/** Bounds of a forecast. @param history a learned maximum that it exceeds is none */
export function boundsOf(
  { nonNegative, upperBound }: Pick<ForecastParameters, "nonNegative" | "upperBound">,
  limits: Limits,
  history: Float64Array,
): Bounds {
  const isLearned = upperBound !== undefined && !history.some((value) => value > upperBound);
  const min = limits.min ?? (nonNegative ? 0 : Number.NEGATIVE_INFINITY);
  const max = limits.max ?? (isLearned ? upperBound : Number.POSITIVE_INFINITY);
  // A limit that is set holds against a learned bound beyond it.
  return { min: limits.min ?? Math.min(min, max), max: limits.max ?? Math.max(min, max) };
}

/** The values, each at the nearest bound where it is outside of them. */
export function clampTo({ min, max }: Bounds, values: Float64Array): Float64Array {
  return values.map((value) => Math.min(max, Math.max(min, value)));
}
