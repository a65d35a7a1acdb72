// Aggregations that take one series after the other, and keep none: sum, avg, min, max, count, group.
import type { Labels } from "../labels.ts";
import type { Aggregation } from "../language/expression.ts";
import type { ColumnSink } from "./columns.ts";
import type { Context } from "./context.ts";
import { GroupLabels } from "./grouping.ts";
import { isInfinite, staysInfinite } from "./statistics.ts";
import { type Column, emptyColumn, isEmpty, type Vector, vectorOf } from "./values.ts";

interface Folded extends Column {
  /** Samples so far, by step. */
  readonly counts: Float64Array;
}

/** Adds the samples of one more series. */
type Fold = (into: Folded, column: Column) => void;

const folds: Readonly<Record<string, Fold>> = {
  sum: addUp,
  avg: foldEach(runningMean),
  min: foldEach((min, value, count) => (count === 1 || value < min || Number.isNaN(min) ? value : min)),
  max: foldEach((max, value, count) => (count === 1 || value > max || Number.isNaN(max) ? value : max)),
  count: foldEach((_, __, count) => count),
  group: foldEach(() => 1),
};

export function isFold(op: string): boolean {
  return Object.hasOwn(folds, op);
}

/** A loop of its own, as sums are the most common ones. */
function addUp(into: Folded, { values, present }: Column): void {
  for (let step = 0; step < present.length; step++) {
    if (present[step] === 0) continue;
    into.values[step]! += values[step]!;
    into.present[step] = 1;
  }
}

/** @param fold what the values of a step are so far, 0 at the start, with one more; `count` with it */
function foldEach(fold: (result: number, value: number, count: number) => number): Fold {
  return (into, { values, present }) => {
    for (let step = 0; step < present.length; step++) {
      if (present[step] === 0) continue;
      into.counts[step]! += 1;
      into.values[step] = fold(into.values[step]!, values[step]!, into.counts[step]!);
      into.present[step] = 1;
    }
  };
}

/** Without compensation, as Prometheus 2 aggregates. */
function runningMean(mean: number, value: number, count: number): number {
  return isInfinite(mean) && staysInfinite(mean, value) ? mean : mean + (value / count - mean / count);
}

/** The series of each group as one, in the order of their first series. */
export class FoldedGroups implements ColumnSink {
  readonly #fold: Fold;
  readonly #groupLabels: GroupLabels;
  readonly #groups = new Map<string, Folded>();
  /** Filled again for each series. */
  readonly #values: Float64Array;
  readonly #present: Uint8Array;

  /** @param dropsNames groups as if series had no names */
  constructor(
    aggregation: Pick<Aggregation, "op" | "grouping" | "isWithout">,
    private readonly context: Context,
    dropsNames = false,
  ) {
    const { count } = context.steps;
    this.#fold = folds[aggregation.op]!;
    this.#groupLabels = new GroupLabels(aggregation, dropsNames);
    this.#values = new Float64Array(count);
    this.#present = new Uint8Array(count);
  }

  start(labels: Labels): Column {
    return { labels, values: this.#values, present: this.#present.fill(0) };
  }

  add(column: Column): void {
    const { steps, budget } = this.context;
    if (!isEmpty(column)) this.#fold(this.#groupOf(column.labels), column);
    budget.spend(steps.count);
  }

  #groupOf(labels: Labels): Folded {
    const key = this.#groupLabels.keyOf(labels);
    const known = this.#groups.get(key);
    if (known) return known;
    const { steps, budget } = this.context;
    budget.takeValues(1, steps.count);
    const column = emptyColumn(this.#groupLabels.labelsOf(labels), steps.count);
    const group = { ...column, counts: new Float64Array(steps.count) };
    this.#groups.set(key, group);
    return group;
  }

  finish(): Vector {
    return vectorOf([...this.#groups.values()]);
  }
}
