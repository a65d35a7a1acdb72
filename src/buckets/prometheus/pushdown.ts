// Metrics that Prometheus computes as src/metrics defines them; all others are reduced here from raw samples.
import { requireMetric } from "../../metrics/index.ts";

/**
 * Expressions by canonical name of the metric, with `$s` in place of the range selector; samples of all series are
 * merged. Deviations, percentiles and `rate` are missing: Prometheus divides by n, interpolates and extrapolates.
 */
const pushdowns: ReadonlyMap<string, string> = new Map([
  ["count", "sum(count_over_time($s))"],
  ["sum", "sum(sum_over_time($s))"],
  ["avg", "sum(sum_over_time($s)) / sum(count_over_time($s))"],
  ["min", "min(min_over_time($s))"],
  ["max", "max(max_over_time($s))"],
  ["spread", "max(max_over_time($s)) - min(min_over_time($s))"],
]);

/** The expression of a metric; undefined where Prometheus has no such function or defines it otherwise. */
export function findPushdown(metric: string): string | undefined {
  return pushdowns.get(requireMetric(metric).name);
}

/** The expression over the samples of `[end - rangeMs, end]`. */
export function fillSelector(expression: string, selector: string, rangeMs: number): string {
  return expression.replaceAll("$s", () => `${selector}[${rangeMs}ms]`);
}
