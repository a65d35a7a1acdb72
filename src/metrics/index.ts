// The registry of metrics and how a client's word finds its reducer.
import { invalid, TorusError } from "../core/errors.ts";
import { suggestClosest } from "../core/input/suggest.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { derivative, rate } from "./change.ts";
import { count } from "./count.ts";
import { stddev, variance } from "./deviation.ts";
import { first, last } from "./ends.ts";
import { max, min, spread } from "./extremes.ts";
import { integral } from "./integral.ts";
import type { Metric } from "./kind.ts";
import { mode } from "./mode.ts";
import { median, parsePercentile } from "./quantile.ts";
import { avg, sum, sumOfSquares } from "./sum.ts";

export { counterIncrease as growBy } from "./change.ts";
export type { Change, IntervalPoints, Metric, Sample } from "./kind.ts";
export { reduceTogether } from "./together.ts";

/** All metrics with a fixed name; percentiles are made on demand. */
export const metrics: readonly Metric[] = [
  count,
  sum,
  avg,
  min,
  max,
  median,
  mode,
  spread,
  stddev,
  variance,
  sumOfSquares,
  first,
  last,
  integral,
  derivative,
  rate,
];

const byName: ReadonlyMap<string, Metric> = new Map(
  metrics.flatMap((metric) => [metric.name, ...metric.aliases].map((name) => [name, metric] as const)),
);

/** Every name and alias, and the common percentiles as examples of the `<N>percentile` and `p<N>` forms. */
export const metricNames: readonly string[] = [
  ...byName.keys(),
  ...[5, 10, 90, 95, 99].flatMap((percent) => [`${percent}percentile`, `p${percent}`]),
];

/** The metric a client means, in any case, by name, alias, `<N>percentile` or `p<N>` (0..100); undefined if none. */
export function resolveMetric(name: string): Metric | undefined {
  const word = name.trim().toLowerCase();
  return byName.get(word) ?? parsePercentile(word);
}

/** @throws TorusError `not_supported` for a metric nobody knows; callers check metrics before they read */
export function requireMetric(name: string): Metric {
  const metric = resolveMetric(name);
  if (!metric) throw new TorusError("not_supported", `metric ${JSON.stringify(name)} is not supported`);
  return metric;
}

/**
 * Where a read of raw points must begin, in ms: one interval before the range where a metric looks back
 * (derivative, rate), so that the first interval has a value too.
 */
export function findReadStart({ range, intervalMs, features }: ReadQuery): number {
  const looksBack = features.some((feature) => requireMetric(feature.metric).isStateful);
  return looksBack ? range.fromAt - intervalMs : range.fromAt;
}

/** Checks the name of a metric. @throws TorusError `invalid` with the closest known name, or all of them */
export function checkMetric(metric: string, path: string): void {
  if (resolveMetric(metric)) return;
  const near = suggestClosest(metric, metricNames);
  const hint = near ? `did you mean ${near}?` : `known metrics: ${metricNames.join(", ")}`;
  throw invalid(path, `metric ${JSON.stringify(metric.slice(0, 64))} is not supported; ${hint}`);
}
