// Series by local time: seasons are days and weeks on the clock on the wall, also where it is set forward or back; pure.
import type { Timeline } from "../detectors/timeline.ts";

/** One feature, defaults filled in; NaN = missing. */
export interface Series {
  readonly column: Float64Array;
  readonly intervalMs: number;
  /** Absent: times of day are UTC. */
  readonly local?: LocalTime | undefined;
}

/** A column laid out by the clock, and where in it the intervals of the series lie. */
export interface LocalTime {
  /** Missing where the clock was set forward; the first of two values where it was set back. */
  readonly column: Float64Array;
  /** The first place that holds nothing of the intervals before `origin`, and nothing before it of those after. */
  readonly startOf: (origin: number) => number;
  /** Place of an interval, also of one to come. */
  readonly placeOf: (interval: number) => number;
}

/** A series and where it begins. */
export function createSeries(column: Float64Array, { startAt, intervalMs, offsetAt }: Timeline): Series {
  if (!offsetAt) return { column, intervalMs };
  const firstMs = offsetAt(startAt);
  const placeOf = (i: number) => i + roundShift((offsetAt(startAt + i * intervalMs) - firstMs) / intervalMs);
  return { column, intervalMs, local: layOut(column, placeOf) };
}

/** The series as its seasons see it. */
export function localTimeOf({ column, local }: Series): LocalTime {
  return local ?? { column, startOf: (i) => i, placeOf: (i) => i };
}

/** To the nearest whole; a half, which is wrong either way, moves nothing. */
function roundShift(intervals: number): number {
  return Math.sign(intervals) * Math.ceil(Math.abs(intervals) - 0.5);
}

/** What the clock shows twice keeps its first value: whoever looks back from between must not see what came after. */
function layOut(column: Float64Array, placeOf: (interval: number) => number): LocalTime {
  const starts = new Int32Array(column.length + 1);
  for (const i of column.keys()) starts[i + 1] = Math.max(starts[i]!, placeOf(i) + 1);
  const local = new Float64Array(starts[column.length]!).fill(Number.NaN);
  for (const [i, value] of column.entries()) if (starts[i + 1]! > starts[i]!) local[placeOf(i)] = value;
  return { column: local, startOf: (origin) => starts[origin]!, placeOf };
}
