// Registry of metrics: resolves names, aliases and percentiles to their reducers.
import { invalid, TorusError } from "../core/errors.ts";
import { suggestClosest } from "../core/input/suggest.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { derivative, rate } from "./change.ts";
import { count } from "./count.ts";
import { stddev, variance } from "./deviation.ts";
import { first, last } from "./first-last.ts";
import { integral } from "./integral.ts";
import type { Metric } from "./kind.ts";
import { max, min, spread } from "./min-max.ts";
import { mode } from "./mode.ts";
import { median, parsePercentile } from "./order-statistics.ts";
import { avg, sum, sumOfSquares } from "./sum.ts";

export { counterIncrease } from "./change.ts";
export type { Change, IntervalPoints, Metric, Sample } from "./kind.ts";
export { reduceTogether } from "./order-statistics.ts";

/** All metrics with a fixed name; percentiles are built on demand. */
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

/** Finds a metric by name, alias, `<N>percentile` or `p<N>` (0..100), case-insensitively; undefined if unknown. */
export function resolveMetric(name: string): Metric | undefined {
  const word = name.trim().toLowerCase();
  return byName.get(word) ?? parsePercentile(word);
}

/** @throws TorusError `not_supported` for an unknown metric; callers check metrics before they read */
export function requireMetric(name: string): Metric {
  const metric = resolveMetric(name);
  if (!metric) throw new TorusError("not_supported", `metric ${JSON.stringify(name)} is not supported`);
  return metric;
}

/**
 * Start of a read of raw points, ms: one interval before the range if a metric is stateful (derivative, rate), so that
 * the first interval has a value too.
 */
export function findReadStart({ range, intervalMs, features }: ReadQuery): number {
  const isStateful = features.some((feature) => requireMetric(feature.metric).isStateful);
  return isStateful ? range.fromAt - intervalMs : range.fromAt;
}

/** Checks the name of a metric. @throws TorusError `invalid` with the closest known name, or all of them */
export function checkMetric(metric: string, path: string): void {
  if (resolveMetric(metric)) return;
  // Of percentiles the closest name is one of another number.
  const near = suggestClosest(metric, [...byName.keys()]);
  const hint = near ? `did you mean ${near}?` : `known metrics: ${metricNames.join(", ")}`;
  throw invalid(path, `metric ${JSON.stringify(metric.slice(0, 64))} is not supported; ${hint}`);
}
