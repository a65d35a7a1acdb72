// Certainty of a cycle: parts a cycle apart are far more alike than others, which two cycles can prove; pure.
import { meanOf } from "./mean.ts";

/** Least number of cycles. */
const MIN_CYCLES = 2;
/** Newest cycles that are compared. */
const MOST_CYCLES = 5;
/** Least ratio by which parts a cycle apart are more alike: of many pairs of them, and what one pair adds. */
const MIN_RATIO = { least: 1.5, ofPair: 25 };
/** Share of the values of a part that must be there. */
const MIN_PRESENT = 0.5;

/** A cycle, and the parts of it that are compared, as the days of a week. */
export interface PartedCycle {
  /** In intervals. */
  readonly length: number;
  readonly parts: number;
}

/** Parts of the cycles of the calendar: hours, days, months. */
export const partsOf = { day: 24, week: 7, year: 12 };

/** Whether the parts of a cycle differ, and keep doing so. @param column NaN = missing */
export function isCertain(column: Float64Array, cycle: PartedCycle): boolean {
  const { ratio, pairs } = compareParts(column, cycle);
  return ratio > MIN_RATIO.least + MIN_RATIO.ofPair / Math.max(1, pairs);
}

/**
 * Squared changes between different parts of a cycle, as a multiple of those between parts a cycle apart: about 1 without
 * the cycle, and of less than two of them.
 * @param column NaN = missing
 */
export function alikeness(column: Float64Array, cycle: PartedCycle): number {
  return compareParts(column, cycle).ratio;
}

function compareParts(
  column: Float64Array,
  { length, parts: most }: PartedCycle,
): { readonly ratio: number; readonly pairs: number } {
  if (column.length < MIN_CYCLES * length) return { ratio: 1, pairs: 0 };
  const part = Math.max(1, length / most);
  const parts = Math.round(length / part);
  const means = meansOfParts(column.subarray(-Math.round(MOST_CYCLES * length)), part);
  let others = 0;
  for (let lag = 1; lag < parts; lag++) others += squaredChange(means, lag) / (parts - 1);
  const alike = squaredChange(means, parts);
  const ratio = alike > 0 ? others / alike : others > 0 ? Number.POSITIVE_INFINITY : 1;
  return { ratio, pairs: means.length - parts };
}

/** Means of whole parts up to the end; NaN of those with many gaps. */
function meansOfParts(column: Float64Array, length: number): Float64Array {
  const count = Math.floor(column.length / length);
  return Float64Array.from({ length: count }, (_, k) => {
    const [from, to] = [count - k, count - k - 1].map((back) => Math.round(column.length - back * length));
    const present = column.subarray(from, to).filter(Number.isFinite);
    return present.length < MIN_PRESENT * length ? Number.NaN : meanOf(present);
  });
}

/** Mean squared change over some parts, less the mean change, which growth makes; 0 without pairs. */
function squaredChange(means: Float64Array, lag: number): number {
  const changes = means.subarray(lag).map((value, i) => value - means[i]!);
  const mean = meanOf(changes);
  return Number.isNaN(mean) ? 0 : meanOf(changes.map((change) => (change - mean) ** 2));
}
