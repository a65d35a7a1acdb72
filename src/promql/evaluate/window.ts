// Windows: the samples of a range selector or a subquery at one step, both edges included as in Prometheus 2.
import { instantOf, type Steps } from "./values.ts";

/** The samples from index `from` (inclusive) to `to` (exclusive) of a series. */
export interface Window {
  /** ms since the epoch */
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Edges, ms since the epoch. */
  readonly startAt: number;
  readonly endAt: number;
  /** Time of evaluation, ms since the epoch. */
  readonly stepAt: number;
  /** Whether a value of the series is less than the one before. */
  readonly falls: boolean;
}

/** A function of one window, not empty. @param params its scalar arguments. @returns undefined: no sample */
export type WindowFunction = (window: Window, ...params: readonly number[]) => number | undefined;

/** How samples become windows. */
export interface WindowPlan {
  readonly rangeMs: number;
  readonly offsetMs: number;
  /** In place of the time of evaluation, ms since the epoch. */
  readonly fixed: number | undefined;
}

/** Where the windows of the steps lie in the samples of series that share their instants. */
export interface Windows {
  /** First samples (inclusive), by step. */
  readonly from: Int32Array;
  /** Ends (exclusive), by step; those of an empty window are its start. */
  readonly to: Int32Array;
}

/** @param times of samples, ascending */
export function findWindows(
  times: Float64Array,
  steps: Steps,
  { rangeMs, offsetMs, fixed }: WindowPlan,
): Windows {
  const [starts, ends] = [new Int32Array(steps.count), new Int32Array(steps.count)];
  let [from, to] = [0, 0];
  for (let step = 0; step < steps.count; step++) {
    const endAt = (fixed ?? instantOf(steps, step)) - offsetMs;
    while (to < times.length && times[to]! <= endAt) to++;
    while (from < to && times[from]! < endAt - rangeMs) from++;
    starts[step] = from;
    ends[step] = to;
  }
  return { from: starts, to: ends };
}

/** The samples of a window alone. */
export function samplesIn({ times, values, from, to }: Window): Pick<Window, "times" | "values"> {
  return { times: times.subarray(from, to), values: values.subarray(from, to) };
}
