// Grid column under construction: takes values interval by interval and reduces each interval at its end.
import { TorusError } from "../../core/errors.ts";
import { countIntervals } from "../../core/series/grid.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import type { Metric, Sample } from "../../metrics/index.ts";

export interface Column {
  /**
   * Adds the value at `at` (ms), in any order within an interval; NaN stands for a text or boolean (see `count`).
   * @throws TorusError `bucket_rejected` when `at` lies in an interval that has already ended
   */
  add(at: number, value: number): void;
  /** Ends the last interval. @returns the values of the whole range */
  finish(): Float64Array;
}

/**
 * Starts a column over the range of `query`; points outside of it are skipped.
 * @param total column to add the values to, for the sum of a metric over several series
 */
export function createColumn(
  { range, intervalMs }: Pick<ReadQuery, "range" | "intervalMs">,
  metric: Metric,
  total?: Float64Array,
): Column {
  const length = countIntervals(range, intervalMs);
  const column = total ?? new Float64Array(length).fill(metric.empty);
  // The interval before the range only provides the previous point of stateful metrics.
  const firstSlot = metric.isStateful ? -1 : 0;
  const points = createBuffer(metric.ordered);
  let slot = firstSlot;
  let previous: Sample | undefined;

  function put(value: number): void {
    const before = column[slot]!;
    if (total === undefined || Number.isNaN(before)) column[slot] = value;
    else if (!Number.isNaN(value)) column[slot] = before + value;
  }

  function endInterval(): void {
    if (points.length === 0) return;
    const { times, values } = points.take();
    if (slot >= 0) put(metric.reduce({ times, values, previous }));
    if (metric.isStateful) previous = { at: times[times.length - 1]!, value: values[values.length - 1]! };
  }

  return {
    add(at, value) {
      if (Number.isNaN(value) && metric.counts === "numbers") return;
      const index = Math.floor((at - range.fromAt) / intervalMs);
      if (index < firstSlot || index >= length) return;
      if (index !== slot) {
        if (index < slot)
          throw new TorusError("bucket_rejected", "the data source must answer in order of time");
        endInterval();
        slot = index;
      }
      points.push(at, value);
    },
    finish() {
      endInterval();
      return column;
    },
  };
}

interface Buffer {
  readonly length: number;
  push(at: number, value: number): void;
  /** The points so far, sorted by time if `ordered`, as views valid until the next push. */
  take(): { times: Float64Array; values: Float64Array };
}

/** Growing arrays, reused from interval to interval. */
function createBuffer(ordered: boolean): Buffer {
  let times = new Float64Array(16);
  let values = new Float64Array(16);
  let length = 0;
  let sorted = true;
  return {
    get length() {
      return length;
    },
    push(at, value) {
      if (length === times.length) [times, values] = [double(times), double(values)];
      if (length > 0 && at < times[length - 1]!) sorted = false;
      times[length] = at;
      values[length] = value;
      length++;
    },
    take() {
      const taken = { times: times.subarray(0, length), values: values.subarray(0, length) };
      const result = ordered && !sorted ? sortByTime(taken) : taken;
      length = 0;
      sorted = true;
      return result;
    },
  };
}

function double(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Sorted copies; points of the same instant keep their order. */
function sortByTime({ times, values }: { times: Float64Array; values: Float64Array }) {
  const order = Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
  return {
    times: Float64Array.from(order, (i) => times[i]!),
    values: Float64Array.from(order, (i) => values[i]!),
  };
}
