// Marks: flags of the intervals of a grid that ranges overlap, such as labelled anomalies; pure.
import type { Grid, Range } from "../../core/series/grid.ts";

/** @returns 1 at the intervals that overlap any of the ranges */
export function markIntervals(
  { startAt, intervalMs, length }: Pick<Grid, "startAt" | "intervalMs" | "length">,
  ranges: readonly Range[],
): Uint8Array {
  const marks = new Uint8Array(length);
  for (const { fromAt, toAt } of ranges) {
    const from = Math.max(0, Math.floor((fromAt - startAt) / intervalMs));
    const to = Math.min(length, Math.ceil((toAt - startAt) / intervalMs));
    if (from < to) marks.fill(1, from, to);
  }
  return marks;
}

/** A copy of the column in which the marked intervals are missing. */
export function leaveOut(column: Float64Array, marks: Uint8Array): Float64Array {
  return column.map((value, i) => (marks[i] === 1 ? Number.NaN : value));
}

/** Number of marked intervals. */
export function countMarks(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0);
}
