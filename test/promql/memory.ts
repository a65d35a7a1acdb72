// PromQL over series in memory, for tests.
import { keyOf, makeLabels, sortByLabels } from "../../src/promql/labels.ts";
import { matchesAll } from "../../src/promql/language/matcher.ts";
import { parseQuery } from "../../src/promql/language/parse.ts";
import {
  type QueryDeps,
  type QueryResult,
  type QuerySteps,
  queryInstant,
  queryRange,
} from "../../src/promql/query.ts";

/** Labels, and samples as pairs of seconds and values. */
export type MemorySeries = readonly [
  labels: Readonly<Record<string, string>>,
  samples: readonly (readonly [second: number, value: number])[],
];

const limits = { series: 100_000, samples: 10_000_000, values: 10_000_000 };

export function memoryDeps(series: readonly MemorySeries[], changes: Partial<QueryDeps> = {}): QueryDeps {
  const known = sortByLabels(
    series.map(([labels, samples]) => ({ labels: makeLabels(Object.entries(labels)), samples })),
  );
  return {
    limits,
    lookbackMs: 300_000,
    signal: new AbortController().signal,
    select: async ({ matchers, fromAt, toAt }, budget) => {
      const matching = known.filter(({ labels }) => matchesAll(matchers, labels));
      budget.take("series", matching.length);
      return matching.map(({ labels, samples }) => {
        const kept = samples.filter(([second]) => second * 1000 >= fromAt && second * 1000 <= toAt);
        budget.take("samples", kept.length);
        return {
          labels,
          times: Float64Array.from(kept, ([second]) => second * 1000),
          values: Float64Array.from(kept, ([, value]) => value),
        };
      });
    },
    ...changes,
  };
}

/** @param at seconds */
export async function ask(query: string, at: number, deps: QueryDeps): Promise<QueryResult> {
  return queryInstant(parseQuery(query), at * 1000, deps);
}

/** @param range seconds */
export async function askRange(
  query: string,
  range: { from: number; to: number; step: number },
  deps: QueryDeps,
) {
  const { from, to, step } = range;
  const count = Math.floor((to - from) / step) + 1;
  const steps: QuerySteps = { startAt: from * 1000, stepMs: step * 1000, count, endAt: to * 1000 };
  return queryRange(parseQuery(query), steps, deps);
}

/** Values of an instant by the key of their labels; of a scalar by "". */
export function valuesOf(result: QueryResult): Readonly<Record<string, number>> {
  if (result.type === "scalar") return { "": result.value };
  if (result.type === "string") throw new Error("a text has no values");
  return Object.fromEntries(
    result.series.map(({ labels, values }) => [keyOf(labels).replaceAll("\u0000", " ").trim(), values[0]!]),
  );
}
