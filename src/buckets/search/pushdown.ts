// Metrics that Elasticsearch computes as src/metrics defines them, from its `extended_stats`.
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { parseJson } from "../shared/connection.ts";
import type { Json } from "./store.ts";

/** `extended_stats` of an interval. */
export interface Stats {
  readonly count: number;
  readonly sum: number;
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly sum_of_squares: number;
  /** Population variance (divisor n). */
  readonly variance: number;
}

export interface Pushdown {
  /** Counts documents instead of a statistic. */
  readonly countsDocuments?: boolean;
  /** The value of an interval that has at least one number. */
  convert?(stats: Stats): number;
  /** Clause and aggregation of a feature query. */
  readonly own?: { readonly clause: Json; readonly agg: Json | undefined };
}

/** Sample variance (divisor n - 1); NaN for a single number. */
const variance = ({ variance: ofAll, count }: Stats) =>
  count > 1 ? (ofAll * count) / (count - 1) : Number.NaN;

/** By canonical name of the metric. Its percentiles are estimates, and it knows no first and last without a script. */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map<string, Pushdown>([
  ["count", { countsDocuments: true }],
  ["sum", { convert: ({ sum }) => sum }],
  ["avg", { convert: ({ avg }) => avg }],
  ["min", { convert: ({ min }) => min }],
  ["max", { convert: ({ max }) => max }],
  ["spread", { convert: ({ min, max }) => max - min }],
  ["sum_of_squares", { convert: (stats) => stats.sum_of_squares }],
  ["variance", { convert: variance }],
  ["stddev", { convert: (stats) => Math.sqrt(variance(stats)) }],
]);

/** The pushdown of a feature; undefined where its metric is computed from raw points. @throws TorusError `invalid` */
export function findPushdown({ metric, query }: FeatureQuery): Pushdown | undefined {
  return query === undefined ? pushdowns.get(requireMetric(metric).name) : { own: parseQuery(query) };
}

/**
 * Reads the query of a feature: a clause as in `{"term": {"level": "error"}}`, whose documents are counted, or
 * `{"query": <clause>, "agg": {"avg": {"field": "x"}}}` for any aggregation of a single value.
 */
function parseQuery(text: string): { clause: Json; agg: Json | undefined } {
  const given = parseJson(text);
  const form = 'must be JSON: a query clause, or {"query": <clause>, "agg": <aggregation of one value>}';
  if (!isRecord(given)) throw invalid("query", form);
  if (!("query" in given || "agg" in given)) return { clause: given, agg: undefined };
  const { query: clause = { match_all: {} }, agg, ...rest } = given;
  if (!isRecord(clause) || (agg !== undefined && !isRecord(agg)) || Object.keys(rest).length > 0)
    throw invalid("query", form);
  return { clause, agg };
}
