// The metrics that Prometheus computes exactly as src/metrics defines them; all others are computed here from raw samples.
import { requireMetric } from "../../metrics/index.ts";

/** What to ask Prometheus for, and what an interval without samples is worth. */
export interface Pushdown {
  /** An expression with `$s` in place of the selector with its range. */
  readonly expression: string;
  readonly empty: number;
}

const plain = (expression: string, empty = Number.NaN): Pushdown => ({ expression, empty });

/**
 * By canonical name of the metric; the samples of all series count together. Deviations, percentiles and `rate` are
 * not among them: Prometheus divides by n, interpolates and extrapolates.
 */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map([
  ["count", plain("sum(count_over_time($s))", 0)],
  ["sum", plain("sum(sum_over_time($s))")],
  ["avg", plain("sum(sum_over_time($s)) / sum(count_over_time($s))")],
  ["min", plain("min(min_over_time($s))")],
  ["max", plain("max(max_over_time($s))")],
  ["spread", plain("max(max_over_time($s)) - min(min_over_time($s))")],
]);

/** How to push a metric down; undefined where Prometheus means something else by it or has no such function. */
export function findPushdown(metric: string): Pushdown | undefined {
  return pushdowns.get(requireMetric(metric).name);
}

/** The expression over the samples of `[end - rangeMs, end]`. */
export function applyPushdown({ expression }: Pushdown, selector: string, rangeMs: number): string {
  return expression.replaceAll("$s", () => `${selector}[${rangeMs}ms]`);
}
