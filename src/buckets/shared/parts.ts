// Metrics of a store that aggregates each series by itself: parts that are combined over the series here.

import type { FeatureQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import type { Pushed } from "./pushdown.ts";

/** What combines the values of two series. */
const combiners = {
  count: (a: number, b: number) => a + b,
  sum: (a: number, b: number) => a + b,
  min: Math.min,
  max: Math.max,
} as const;
export type Part = keyof typeof combiners;

/** A metric by its parts. */
export interface PartPushdown {
  readonly parts: readonly Part[];
  /** The value by its parts, in order. */
  combine(first: number, second: number): number;
}

const plain = (part: Part): PartPushdown => ({ parts: [part], combine: (value) => value });

const pushdowns: ReadonlyMap<string, PartPushdown> = new Map([
  ["count", plain("count")],
  ["sum", plain("sum")],
  ["min", plain("min")],
  ["max", plain("max")],
  ["avg", { parts: ["sum", "count"], combine: (sum, count) => sum / count }],
  ["spread", { parts: ["max", "min"], combine: (max, min) => max - min }],
]);

/** Undefined for a metric that cannot be combined from the results of single series. */
export function findParts({ metric }: FeatureQuery): PartPushdown | undefined {
  return pushdowns.get(requireMetric(metric).name);
}

/** The parts of features, each once. */
export function listParts(pushed: readonly Pushed<PartPushdown>[]): Part[] {
  return [...new Set(pushed.flatMap(({ pushdown }) => pushdown.parts))];
}

/** Values by group, part and interval, combined over the series. */
export class PartValues {
  readonly #groups = new Map<string, Map<Part, Map<number, number>>>();

  /** @returns a function that adds a value of a series; without values there is no group */
  addTo(group: string, part: Part): (slot: number, value: number) => void {
    let values: Map<number, number> | undefined;
    return (slot, value) => {
      values ??= this.#open(group, part);
      const before = values.get(slot);
      values.set(slot, before === undefined ? value : combiners[part](before, value));
    };
  }

  #open(group: string, part: Part): Map<number, number> {
    const parts = this.#groups.get(group) ?? new Map<Part, Map<number, number>>();
    this.#groups.set(group, parts);
    const values = parts.get(part) ?? new Map<number, number>();
    parts.set(part, values);
    return values;
  }

  /** Fills the columns of features. */
  place(pushed: readonly Pushed<PartPushdown>[]): void {
    for (const [key, found] of this.#groups)
      for (const { pushdown, columnOf } of pushed) {
        const column = columnOf(key);
        if (!column) continue;
        const [first, second] = pushdown.parts;
        for (const [slot, value] of found.get(first!) ?? [])
          column[slot] = pushdown.combine(value, (second && found.get(second)?.get(slot)) ?? Number.NaN);
      }
  }
}
