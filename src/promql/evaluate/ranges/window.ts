// Windows: the samples of a range selector or a subquery at one step, both edges included as in Prometheus 2.
import { instantOf, type Steps } from "../values.ts";

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

/** Where the windows lie in the samples of series that share their instants, by step. */
export interface Windows {
  /** First samples (inclusive). */
  readonly from: Int32Array;
  /** Ends (exclusive). */
  readonly to: Int32Array;
  /** Edges, ms since the epoch. */
  readonly startsAt: Float64Array;
  readonly endsAt: Float64Array;
}

/** @param times of samples, ascending */
export function findWindows(
  times: Float64Array,
  steps: Steps,
  { rangeMs, offsetMs, fixed }: WindowPlan,
): Windows {
  const { count } = steps;
  const windows = {
    from: new Int32Array(count),
    to: new Int32Array(count),
    startsAt: new Float64Array(count),
    endsAt: new Float64Array(count),
  };
  let [from, to] = [0, 0];
  for (let step = 0; step < count; step++) {
    const endAt = (fixed ?? instantOf(steps, step)) - offsetMs;
    const startAt = endAt - rangeMs;
    while (to < times.length && times[to]! <= endAt) to++;
    while (from < to && times[from]! < startAt) from++;
    windows.from[step] = from;
    windows.to[step] = to;
    windows.startsAt[step] = startAt;
    windows.endsAt[step] = endAt;
  }
  return windows;
}

/** The samples of a window alone. */
export function samplesIn({ times, values, from, to }: Window): Pick<Window, "times" | "values"> {
  return { times: times.subarray(from, to), values: values.subarray(from, to) };
}
