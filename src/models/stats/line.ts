// Robust line through a series (Theil and Sen); pure.
import { medianOf } from "./median.ts";

/** Number of parts whose medians the line is fitted to. */
const PARTS = 48;

/** Value of the line at each index of a column; 0 everywhere if fewer than two parts hold values. */
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
