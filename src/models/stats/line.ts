// A straight line through a series that outliers do not move (Theil and Sen); pure.
import { medianOf } from "./median.ts";

/** The line goes through medians of so many parts. */
const PARTS = 48;

/** Value of the line at each place of a column; 0 everywhere where fewer than two parts hold anything. */
export function fitLine(column: Float64Array): Float64Array {
  const size = Math.max(1, Math.ceil(column.length / PARTS));
  const parts: { at: number; value: number }[] = [];
  for (let from = 0; from < column.length; from += size) {
    const part = column.subarray(from, from + size);
    const value = medianOf(part);
    if (!Number.isNaN(value)) parts.push({ at: from + (part.length - 1) / 2, value });
  }
  if (parts.length < 2) return new Float64Array(column.length);
  const slopes = parts.flatMap((late, i) =>
    parts.slice(0, i).map((early) => (late.value - early.value) / (late.at - early.at)),
  );
  const slope = medianOf(slopes);
  const start = medianOf(parts.map(({ at, value }) => value - slope * at));
  return column.map((_, i) => start + slope * i);
}
