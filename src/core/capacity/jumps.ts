// Jumps of a column: sudden drops and rises that its noise does not explain; pure.
import { median, quantile, spread } from "./numbers.ts";

/** Upper quartile of the absolute values of a normal distribution. */
const NORMAL_75 = 1.15;
/** Jumps are this many standard deviations of the noise. */
const MIN_DEVIATIONS = 6;
/** Least share of the range of the values. */
const MIN_SHARE = 0.015;
/** Points that are averaged on each side. */
const WIDTHS = [1, 2, 4, 8, 16] as const;
/** Share of a jump that half the width must show: a ramp shows half. */
const MIN_CONCENTRATION = 0.7;

export interface Jump {
  /** Index of the first value after it. */
  readonly index: number;
  /** Below 0: a drop. */
  readonly size: number;
}

/** Standard deviation of the noise of neighbouring values, by their differences. */
export function noiseOf(column: ArrayLike<number>): number {
  const steps = differences(column);
  if (steps.length === 0) return 0;
  const middle = median(steps);
  const sizes = steps.map((step) => Math.abs(step - middle));
  return Math.max(spread(steps), (0.7 * quantile(sizes, 0.75)) / NORMAL_75) / Math.SQRT2;
}

function differences(column: ArrayLike<number>): number[] {
  return Array.from({ length: Math.max(0, column.length - 1) }, (_, i) => column[i + 1]! - column[i]!);
}

/** Values of a day from which on it may have a shape. */
const MIN_PER_DAY = 4;
/** Part of a day within which a change is a jump. */
const DAY_SHARE = 1 / 8;

/** @param column without NaN. @param perDay values of a day. @returns jumps by index */
export function findJumps(column: Float64Array, perDay: number): Jump[] {
  const noise = noiseOf(column);
  const widest = perDay < MIN_PER_DAY ? column.length / 4 : Math.min(perDay * DAY_SHARE, column.length / 4);
  const least = MIN_SHARE * (quantile(column, 0.99) - quantile(column, 0.01));
  const found: Jump[] = [];
  let half: Float64Array | undefined;
  for (const width of WIDTHS) {
    if (width > widest) break;
    const sizes = changesOf(column, width);
    // Values that wander change by more than their noise.
    const usual = spread(sizes.filter((size) => !Number.isNaN(size)));
    const deviation = Math.max(0.6 * usual, noise * Math.sqrt(2 / width));
    const threshold = Math.max(least, MIN_DEVIATIONS * deviation);
    for (let i = 0; i < sizes.length; i++) {
      const size = sizes[i]!;
      if (!(Math.abs(size) > threshold) || !isPeak(sizes, i, width)) continue;
      if (half && !(half[i]! / size >= MIN_CONCENTRATION)) continue;
      if (found.some(({ index }) => Math.abs(index - i) <= 2 * width)) continue;
      found.push({ index: i, size });
    }
    half = sizes;
  }
  return found.sort((a, b) => a.index - b.index);
}

/** Mean of the `width` values from an index on, minus that of those before, without the usual drift. */
function changesOf(column: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(column.length + 1);
  for (let i = 0; i < column.length; i++) sums[i + 1] = sums[i]! + column[i]!;
  const changes = new Float64Array(column.length).fill(Number.NaN);
  for (let i = width; i + width <= column.length; i++)
    changes[i] = (sums[i + width]! - 2 * sums[i]! + sums[i - width]!) / width;
  const drift = median(changes.filter((change) => !Number.isNaN(change)));
  return changes.map((change) => change - drift);
}

function isPeak(sizes: Float64Array, at: number, width: number): boolean {
  const size = Math.abs(sizes[at]!);
  for (let i = Math.max(0, at - width); i <= Math.min(sizes.length - 1, at + width); i++)
    if (Math.abs(sizes[i]!) > size || (Math.abs(sizes[i]!) === size && i < at)) return false;
  return true;
}
