// The metrics `first` and `last`: folded block by block over any number of series.
import type { Metric } from "../metrics/index.ts";
import type { BlockView } from "./block.ts";
import type { IntervalIndex } from "./interval-spans.ts";

const metrics: ReadonlySet<string> = new Set(["first", "last"]);

/** @param metric canonical name */
export function isFirstOrLast(metric: string): boolean {
  return metrics.has(metric);
}

export interface FirstLastFold {
  /** Adds a block of numbers that lies within the range of the query. */
  add(block: BlockView): void;
  /** The column of one of the metrics. */
  finish(metric: Metric): Float64Array;
}

/** Starts folding over `length` intervals from the start of the range of `index`. */
export function createFirstLastFold(length: number, index: IntervalIndex): FirstLastFold {
  const [firstAt, lastAt] = [
    new Float64Array(length).fill(Infinity),
    new Float64Array(length).fill(-Infinity),
  ];
  const [firstValues, lastValues] = [new Float64Array(length), new Float64Array(length)];
  return {
    // Among points of one instant `first` is of the field added first, `last` of the field added last.
    add(block) {
      const { startAt, offsets, values } = block;
      const { count, slots, lasts } = index.divide(block);
      for (let span = 0, first = 0; span < count; span++) {
        const slot = slots[span]!;
        const last = lasts[span]!;
        const startsAt = startAt + offsets[first]!;
        if (startsAt < firstAt[slot]!) {
          firstAt[slot] = startsAt;
          firstValues[slot] = values[first]!;
        }
        const endsAt = startAt + offsets[last]!;
        if (endsAt >= lastAt[slot]!) {
          lastAt[slot] = endsAt;
          lastValues[slot] = values[last]!;
        }
        first = last + 1;
      }
    },
    finish(metric) {
      const column = new Float64Array(length).fill(metric.empty);
      const [times, values] = [new Float64Array(2), new Float64Array(2)];
      for (let slot = 0; slot < length; slot++) {
        if (lastAt[slot] === -Infinity) continue;
        times[0] = firstAt[slot]!;
        times[1] = lastAt[slot]!;
        values[0] = firstValues[slot]!;
        values[1] = lastValues[slot]!;
        column[slot] = metric.reduce({ times, values, previous: undefined });
      }
      return column;
    },
  };
}
