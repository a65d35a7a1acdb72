// Metrics that need the ends of each interval only, its first and its last value: folded block by block, in any number of series.
import type { Metric } from "../../metrics/index.ts";
import type { ReadQuery } from "../kind.ts";
import type { BlockView } from "./block.ts";

const byEnds: ReadonlySet<string> = new Set(["first", "last"]);

/** True where the metric (canonical name) can be told from the ends of intervals. */
export function isByEnds(metric: string): boolean {
  return byEnds.has(metric);
}

export interface Ends {
  /** Adds a block that lies within the range of the query. */
  add(block: BlockView): void;
  /** The column of one of the metrics. */
  finish(metric: Metric): Float64Array;
}

/** Starts with `length` intervals from the start of the range. */
export function createEnds({ range, intervalMs }: ReadQuery, length: number): Ends {
  const [firstAt, lastAt] = [
    new Float64Array(length).fill(Infinity),
    new Float64Array(length).fill(-Infinity),
  ];
  const [firsts, lasts] = [new Float64Array(length), new Float64Array(length)];
  return {
    // Of the same instant, the field that is added first has the first value and the one added last the last.
    add(block) {
      const { offsets, values } = block;
      for (let i = 0; i < offsets.length; i++) {
        const value = values[i]!;
        if (Number.isNaN(value)) continue;
        const at = block.startAt + offsets[i]!;
        const slot = Math.floor((at - range.fromAt) / intervalMs);
        if (at < firstAt[slot]!) {
          firstAt[slot] = at;
          firsts[slot] = value;
        }
        if (at >= lastAt[slot]!) {
          lastAt[slot] = at;
          lasts[slot] = value;
        }
      }
    },
    finish(metric) {
      const column = new Float64Array(length).fill(metric.empty);
      const [times, values] = [new Float64Array(2), new Float64Array(2)];
      for (let slot = 0; slot < length; slot++) {
        if (lastAt[slot] === -Infinity) continue;
        times.set([firstAt[slot]!, lastAt[slot]!]);
        values.set([firsts[slot]!, lasts[slot]!]);
        column[slot] = metric.reduce({ times, values, previous: undefined });
      }
      return column;
    },
  };
}
