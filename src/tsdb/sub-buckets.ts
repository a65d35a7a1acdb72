// Sub-buckets of the bucket sort: equal parts of intervals, small enough to sort each by insertion. Pure.
import type { Range } from "../core/series/grid.ts";

/** Up to this many points insertion is faster than a merge sort. */
const MAX_INSERTED = 64;

/** Numbered from the start of a range. */
export interface SubBuckets {
  readonly intervalMs: number;
  readonly perInterval: number;
  readonly count: number;
}

/** @param wanted approximate number of sub-buckets; there is at least one per interval */
export function divideRange({ fromAt, toAt }: Range, intervalMs: number, wanted: number): SubBuckets {
  const intervals = Math.ceil((toAt - fromAt) / intervalMs);
  // Their numbers must be exact integers, and none is shorter than a millisecond.
  const most = Math.min(intervalMs, Math.floor(Number.MAX_SAFE_INTEGER / (toAt - fromAt)));
  const perInterval = Math.max(1, Math.min(Math.ceil(wanted / intervals), most));
  return { intervalMs, perInterval, count: intervals * perInterval };
}

/** Index of the sub-bucket of an instant, `afterMs` after the start of the range. */
export function subBucketAt(afterMs: number, { perInterval, intervalMs }: SubBuckets): number {
  // `| 0` is floor here, because no instant precedes the range.
  return ((afterMs * perInterval) / intervalMs) | 0;
}

export interface TimedValues {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Sorts the points `from` (inclusive) to `to` (exclusive) by time, in place and stably. */
export function sortSubBucket(points: TimedValues, from: number, to: number): void {
  const { times } = points;
  let i = from + 1;
  while (i < to && times[i - 1]! <= times[i]!) i++;
  if (i >= to) return;
  if (to - from <= MAX_INSERTED) insertPoints(points, { sorted: i, from, to });
  else mergePoints(points, from, to);
}

interface Section {
  readonly from: number;
  /** End of the part that is sorted already. */
  readonly sorted: number;
  readonly to: number;
}

function insertPoints({ times, values }: TimedValues, { from, sorted, to }: Section): void {
  for (let i = sorted; i < to; i++) {
    const [at, value] = [times[i]!, values[i]!];
    let target = i;
    for (; target > from && times[target - 1]! > at; target--) {
      times[target] = times[target - 1]!;
      values[target] = values[target - 1]!;
    }
    times[target] = at;
    values[target] = value;
  }
}

/** Sorts indexes; sub-buckets of many points are rare. */
function mergePoints({ times, values }: TimedValues, from: number, to: number): void {
  const [oldTimes, oldValues] = [times.slice(from, to), values.slice(from, to)];
  const order = Array.from(oldTimes.keys()).sort((a, b) => oldTimes[a]! - oldTimes[b]!);
  for (const [i, index] of order.entries()) {
    times[from + i] = oldTimes[index]!;
    values[from + i] = oldValues[index]!;
  }
}
