// Budget of a query: series and samples read, values, labels and texts made, so that none takes the memory of the server.
import { type Caps, ruleOf, WorkBudget } from "../../runtime/work-budget.ts";
import { executionError } from "../errors.ts";

/** Values for which a series counts at least, as its labels take memory, too. */
const MIN_VALUES = 32;

const shorter = "choose a longer step or a shorter range";
export const queryCaps = {
  /** Of all selectors together. */
  series: { most: 10_000, verb: "selects", noun: "series", advice: "add labels to its selectors" },
  /** Of all selectors together. */
  samples: {
    ...{ most: 5_000_000, verb: "reads", noun: "samples" },
    advice: "choose a shorter range, or add labels to its selectors",
  },
  /** Of all results and intermediate results together: series times steps. */
  values: {
    ...{ most: 10_000_000, verb: "computes", noun: "values" },
    advice: "choose a longer step, or aggregate earlier",
  },
  /** Of one subquery. */
  steps: { most: 1_000_000, verb: "has a subquery of", noun: "steps", advice: shorter },
  /** Of the name or the value of a label that a function makes. */
  label: { most: 4096, verb: "makes a label of", noun: "characters", advice: "join or repeat less" },
  /** Of all label sets that functions make. */
  characters: {
    ...{ most: 20_000_000, verb: "makes labels of", noun: "characters" },
    advice: "aggregate before the labels are changed",
  },
  /** Instructions times characters times groups of one match. */
  match: {
    ...{ most: 50_000_000, verb: "has a regular expression of", noun: "steps for one label" },
    advice: "use fewer groups",
  },
  /** The same of all matches of `label_replace`. */
  matches: {
    ...{ most: 2_000_000_000, verb: "has regular expressions of", noun: "steps" },
    advice: "use fewer groups, or aggregate before",
  },
  /** Of the JSON, about. */
  answer: { most: 256 * 1024 * 1024, verb: "answers", noun: "bytes", advice: `${shorter}, or aggregate` },
} as const satisfies Caps<string>;

type QueryCap = keyof typeof queryCaps;
/** Other numbers than those of `queryCaps`. */
export type QueryLimits = Readonly<Partial<Record<QueryCap, number>>>;

export class Budget extends WorkBudget<QueryCap> {
  /** @param signal ends the query */
  constructor(limits: QueryLimits = {}, signal?: AbortSignal) {
    const caps = Object.entries(queryCaps).map(([name, cap]) => [
      name,
      { ...cap, most: limits[name as QueryCap] ?? cap.most },
    ]);
    super(Object.fromEntries(caps), {
      ...(signal && { signal }),
      refuse: (_, cap) => executionError(`the query ${ruleOf(cap)}`),
    });
  }

  /** @throws PromqlError `execution` */
  takeValues(series: number, steps: number): void {
    this.take("values", series * Math.max(steps, MIN_VALUES));
  }
}
