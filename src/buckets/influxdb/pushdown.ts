// Metrics that InfluxDB computes as src/metrics defines them; all others are reduced here from raw points.
import { requireMetric } from "../../metrics/index.ts";

/** An InfluxQL call, and the conversion of its result. */
export interface Pushdown {
  /** `$n` stands for the field cast to a number, `$any` for the field of any type. */
  readonly call: string;
  /** Converts the result of the call to the value of the interval. */
  convert(value: number): number;
}

function plain(call: string, convert = (value: number) => value): Pushdown {
  return { call, convert };
}

/** By canonical name of the metric. The cast to float excludes texts and booleans, as src/metrics does. */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map([
  ["count", plain("count($any)")],
  ["sum", plain("sum($n)")],
  ["avg", plain("mean($n)")],
  ["min", plain("min($n)")],
  ["max", plain("max($n)")],
  ["median", plain("median($n)")],
  ["spread", plain("spread($n)")],
  ["stddev", plain("stddev($n)")],
  ["variance", plain("stddev($n)", (deviation) => deviation ** 2)],
  ["first", plain("first($n)")],
  ["last", plain("last($n)")],
]);

/**
 * The pushdown of a metric; undefined where InfluxDB has no such function or defines it otherwise: MODE returns the
 * smallest of equally frequent values and ours the first, INTEGRAL ignores single points, DERIVATIVE needs an
 * aggregate when grouped by intervals.
 */
export function findPushdown(metric: string): Pushdown | undefined {
  const { name } = requireMetric(metric);
  return pushdowns.get(name) ?? pushPercentile(name);
}

/**
 * From 50 up only: below, an interval of few points has no rank, for which InfluxDB 1.6 leaves out not only that
 * interval but also later ones.
 */
function pushPercentile(name: string): Pushdown | undefined {
  const percent = name.endsWith("percentile") ? Number.parseFloat(name) : 0;
  return percent >= 50 ? plain(`percentile($n, ${percent})`) : undefined;
}
