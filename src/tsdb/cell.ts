// Puts a few points in order of time; points of the same instant keep their order. Pure.

/** Up to here moving points one by one is faster than merging. */
const MAX_INSERTED = 64;

export interface TimedValues {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Sorts the points number `from` (inclusive) to `to` (exclusive) in place. */
export function sortCell(points: TimedValues, from: number, to: number): void {
  const { times } = points;
  let i = from + 1;
  while (i < to && times[i - 1]! <= times[i]!) i++;
  if (i >= to) return;
  if (to - from <= MAX_INSERTED) insertPoints(points, { sorted: i, from, to });
  else mergePoints(points, from, to);
}

interface Part {
  readonly from: number;
  /** Those before are sorted. */
  readonly sorted: number;
  readonly to: number;
}

function insertPoints({ times, values }: TimedValues, { from, sorted, to }: Part): void {
  for (let i = sorted; i < to; i++) {
    const [at, value] = [times[i]!, values[i]!];
    let place = i;
    for (; place > from && times[place - 1]! > at; place--) {
      times[place] = times[place - 1]!;
      values[place] = values[place - 1]!;
    }
    times[place] = at;
    values[place] = value;
  }
}

/** By way of an order of indexes: many points in one cell are rare. */
function mergePoints({ times, values }: TimedValues, from: number, to: number): void {
  const [oldTimes, oldValues] = [times.slice(from, to), values.slice(from, to)];
  const order = Array.from(oldTimes.keys()).sort((a, b) => oldTimes[a]! - oldTimes[b]!);
  for (const [i, index] of order.entries()) {
    times[from + i] = oldTimes[index]!;
    values[from + i] = oldValues[index]!;
  }
}
