// Order-free metrics (count, sum, avg, ...): folded block by block into totals per interval, over any number of series.
import type { BlockView } from "./block.ts";
import type { IntervalIndex } from "./interval-spans.ts";

/** A running total per interval. */
interface Total {
  readonly at: Float64Array;
  /** @param slots interval of each value; NaN stands for a value that is not a number */
  add(slots: Int32Array, values: Float64Array): void;
}

const totals = {
  any(length: number): Total {
    const at = new Float64Array(length);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) at[slots[i]!]! += 1;
      },
    };
  },
  numbers(length: number): Total {
    const at = new Float64Array(length);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) at[slots[i]!]! += 1;
      },
    };
  },
  sum(length: number): Total {
    const at = new Float64Array(length);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) at[slots[i]!]! += values[i]!;
      },
    };
  },
  squares(length: number): Total {
    const at = new Float64Array(length);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++)
          if (!Number.isNaN(values[i]!)) at[slots[i]!]! += values[i]! ** 2;
      },
    };
  },
  min(length: number): Total {
    const at = new Float64Array(length).fill(Infinity);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) if (values[i]! < at[slots[i]!]!) at[slots[i]!] = values[i]!;
      },
    };
  },
  max(length: number): Total {
    const at = new Float64Array(length).fill(-Infinity);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) if (values[i]! > at[slots[i]!]!) at[slots[i]!] = values[i]!;
      },
    };
  },
  /** Squared deviations by Welford's update: a difference of large sums loses all digits. */
  deviations(length: number): Total {
    const at = new Float64Array(length);
    const mean = new Float64Array(length);
    const n = new Float64Array(length);
    return {
      at,
      add(slots, values) {
        for (let i = 0; i < values.length; i++) {
          const value = values[i]!;
          if (Number.isNaN(value)) continue;
          const slot = slots[i]!;
          n[slot]! += 1;
          const distance = value - mean[slot]!;
          mean[slot]! += distance / n[slot]!;
          at[slot]! += distance * (value - mean[slot]!);
        }
      },
    };
  },
};

type TotalName = keyof typeof totals;
type Take = (total: TotalName) => number;

/** Per metric: the totals it needs, and its value for an interval with at least one number. */
const recipes: Readonly<Record<string, { readonly parts: readonly TotalName[]; value(take: Take): number }>> =
  {
    sum: { parts: ["sum"], value: (take) => take("sum") },
    avg: { parts: ["sum"], value: (take) => take("sum") / take("numbers") },
    min: { parts: ["min"], value: (take) => take("min") },
    max: { parts: ["max"], value: (take) => take("max") },
    spread: { parts: ["min", "max"], value: (take) => take("max") - take("min") },
    sum_of_squares: { parts: ["squares"], value: (take) => take("squares") },
    variance: { parts: ["deviations"], value: computeVariance },
    stddev: { parts: ["deviations"], value: (take) => Math.sqrt(computeVariance(take)) },
  };

function computeVariance(take: Take): number {
  const n = take("numbers");
  return n < 2 ? Number.NaN : take("deviations") / (n - 1);
}

/** True where the metric (canonical name) can be folded. */
export function isFoldable(metric: string): boolean {
  return metric === "count" || Object.hasOwn(recipes, metric);
}

export interface Fold {
  /** Adds a block that lies within the range of the query. */
  add(block: BlockView): void;
  /** The column of one of the metrics. */
  finish(metric: string): Float64Array;
}

/** Starts folding for `metrics` (canonical, foldable) over `length` intervals from the start of the range of `index`. */
export function createFold(length: number, index: IntervalIndex, metrics: readonly string[]): Fold {
  const parts = new Map<TotalName, Total>();
  for (const metric of metrics) {
    const needed: readonly TotalName[] =
      metric === "count" ? ["any"] : ["numbers", ...recipes[metric]!.parts];
    for (const part of needed) if (!parts.has(part)) parts.set(part, totals[part](length));
  }
  return {
    add(block) {
      const slots = index.slotsOf(block);
      for (const total of parts.values()) total.add(slots, block.values);
    },
    finish(metric) {
      if (metric === "count") return parts.get("any")!.at;
      const { value } = recipes[metric]!;
      let slot = 0;
      const take: Take = (part) => parts.get(part)!.at[slot]!;
      const column = new Float64Array(length);
      for (; slot < length; slot++) column[slot] = take("numbers") === 0 ? Number.NaN : value(take);
      return column;
    },
  };
}
