// Metrics that need the ends of each interval only, its first and its last value: folded block by block, in any number of series.
import type { Metric } from "../metrics/index.ts";
import type { BlockView } from "./block.ts";
import type { IntervalIndex } from "./interval-spans.ts";

const byEnds: ReadonlySet<string> = new Set(["first", "last"]);

/** True where the metric (canonical name) can be told from the ends of intervals. */
export function isByEnds(metric: string): boolean {
  return byEnds.has(metric);
}

export interface Ends {
  /** Adds a block of numbers that lies within the range of the query. */
  add(block: BlockView): void;
  /** The column of one of the metrics. */
  finish(metric: Metric): Float64Array;
}

/** Starts with `length` intervals from the start of the range of the divider. */
export function createEnds(length: number, divider: IntervalIndex): Ends {
  const [firstAt, lastAt] = [
    new Float64Array(length).fill(Infinity),
    new Float64Array(length).fill(-Infinity),
  ];
  const [firstValues, lastValues] = [new Float64Array(length), new Float64Array(length)];
  return {
    // Of the same instant, the field that is added first has the first value and the one added last the last.
    add(block) {
      const { startAt, offsets, values } = block;
      const { count, slots, lasts } = divider.divide(block);
      for (let run = 0, first = 0; run < count; run++) {
        const slot = slots[run]!;
        const last = lasts[run]!;
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
        times.set([firstAt[slot]!, lastAt[slot]!]);
        values.set([firstValues[slot]!, lastValues[slot]!]);
        column[slot] = metric.reduce({ times, values, previous: undefined });
      }
      return column;
    },
  };
}
