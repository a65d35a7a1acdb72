// Metrics that Prometheus computes as src/metrics defines them; all others are reduced here from raw samples.
import { requireMetric } from "../../metrics/index.ts";
import { requireLabel } from "./selector.ts";

/**
 * Expressions by canonical name of the metric, with `$s` in place of the range selector and `$by` in place of the
 * grouping; samples of all series of a group are merged. Deviations, percentiles and `rate` are missing: Prometheus divides by n, interpolates and extrapolates.
 */
const pushdowns: ReadonlyMap<string, string> = new Map([
  ["count", "sum$by(count_over_time($s))"],
  ["sum", "sum$by(sum_over_time($s))"],
  ["avg", "sum$by(sum_over_time($s)) / sum$by(count_over_time($s))"],
  ["min", "min$by(min_over_time($s))"],
  ["max", "max$by(max_over_time($s))"],
  ["spread", "max$by(max_over_time($s)) - min$by(min_over_time($s))"],
]);

/** The expression of a metric; undefined where Prometheus has no such function or defines it otherwise. */
export function findPushdown(metric: string): string | undefined {
  return pushdowns.get(requireMetric(metric).name);
}

/** A selector, and the labels whose values distinguish the groups. */
export interface Selection {
  readonly selector: string;
  readonly groupBy: readonly string[];
}

/**
 * The expression over the samples of `[end - rangeMs, end]`.
 * @throws TorusError `invalid` for a tag that is not a valid label name
 */
export function fillSelector(expression: string, { selector, groupBy }: Selection, rangeMs: number): string {
  const by = groupBy.length === 0 ? "" : ` by (${groupBy.map(requireLabel).join(", ")}) `;
  return expression.replaceAll("$by", by).replaceAll("$s", () => `${selector}[${rangeMs}ms]`);
}
