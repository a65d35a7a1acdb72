// Series by local time: daily and weekly seasons follow the clock across its changes; pure.
import { DAY_MS } from "../../core/time/time.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { type Cycles, cyclesOfPeriod } from "./season/cycles.ts";

/** One feature, defaults filled in; NaN = missing. */
export interface Series {
  readonly column: Float64Array;
  readonly intervalMs: number;
  /** Absent: those of the calendar. */
  readonly cycles?: Cycles | undefined;
  /** Absent: local time is UTC. */
  readonly local?: LocalTime | undefined;
}

/** A column by local time, and the index of each interval in it. */
interface LocalTime {
  /** Missing where the clock is set forward; the first of two values where it is set back. */
  readonly column: Float64Array;
  /** First index without intervals before `origin`; all later intervals lie at it or after it. */
  readonly startOf: (origin: number) => number;
  /** Index of an interval, future ones included. */
  readonly placeOf: (interval: number) => number;
}

/** The series of a column on its timeline. */
export function createSeries(column: Float64Array, { startAt, intervalMs, offsetAt }: Timeline): Series {
  if (!offsetAt) return { column, intervalMs };
  const firstMs = offsetAt(startAt);
  const placeOf = (i: number) => i + roundShift((offsetAt(startAt + i * intervalMs) - firstMs) / intervalMs);
  return { column, intervalMs, local: layOut(column, placeOf) };
}

/** Lengths of seasons that are no cycles of the calendar, in intervals; at most one of them. */
interface OwnPeriods {
  /** The only season: for members a day is as long. */
  readonly period?: number | undefined;
  /** Beside those of the calendar. */
  readonly extra?: number | undefined;
}

/** A series with a season that is no cycle of the calendar. */
export function withPeriods(series: Series, { period, extra }: OwnPeriods): Series {
  if (extra) return { ...series, cycles: cyclesOfPeriod(0, { ...series, extra }) };
  return period ? { ...series, intervalMs: DAY_MS / period, cycles: { day: period } } : series;
}

/** The local time of a series. */
export function localTimeOf({ column, local }: Series): LocalTime {
  return local ?? { column, startOf: (i) => i, placeOf: (i) => i };
}

/** Index of the first value; 0 without any. */
export function beginOf(column: Float64Array): number {
  return Math.max(0, column.findIndex(Number.isFinite));
}

/** To the nearest integer, halves towards 0. */
function roundShift(intervals: number): number {
  return Math.sign(intervals) * Math.ceil(Math.abs(intervals) - 0.5);
}

/** A repeated local time keeps its first value, so that a forecast from in between does not read the future. */
function layOut(column: Float64Array, placeOf: (interval: number) => number): LocalTime {
  const starts = new Int32Array(column.length + 1);
  for (const i of column.keys()) starts[i + 1] = Math.max(starts[i]!, placeOf(i) + 1);
  const local = new Float64Array(starts[column.length]!).fill(Number.NaN);
  for (const [i, value] of column.entries()) if (starts[i + 1]! > starts[i]!) local[placeOf(i)] = value;
  return { column: local, startOf: (origin) => starts[origin]!, placeOf };
}
