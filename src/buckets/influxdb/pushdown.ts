// The metrics that InfluxDB computes exactly as src/metrics defines them; all others are computed here from raw points.
import { requireMetric } from "../../metrics/index.ts";

/** What to ask InfluxDB for, and how its answer becomes the value of an interval. */
export interface Pushdown {
  /** A call with `$n` in place of the field as a number, or `$any` in place of the field whatever its type. */
  readonly call: string;
  /** The value of an interval by the value of the call. */
  convert(value: number): number;
}

function plain(call: string, convert = (value: number) => value): Pushdown {
  return { call, convert };
}

/** By canonical name of the metric. The cast to float leaves texts and booleans out, as our metrics do. */
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
 * How to push a metric down; undefined where InfluxDB has no such function or means something else by it:
 * MODE answers the smallest of equally frequent values and ours the first, INTEGRAL leaves single points out,
 * DERIVATIVE needs an aggregate inside when intervals are asked for.
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
