// Metrics that PostgreSQL computes as src/metrics defines them; all others are reduced here from raw rows.
import { requireMetric } from "../../metrics/index.ts";
import type { ColumnKind } from "./source.ts";

/** An aggregate with `$v` in place of the value as float8 and `$f` in place of the filter. */
const pushdowns: ReadonlyMap<string, string> = new Map([
  ["sum", "sum($v) $f"],
  ["avg", "avg($v) $f"],
  ["min", "min($v) $f"],
  ["max", "max($v) $f"],
  ["spread", "max($v) $f - min($v) $f"],
  ["sum_of_squares", "sum($v * $v) $f"],
  ["stddev", "stddev_samp($v) $f"],
  ["variance", "var_samp($v) $f"],
  ["median", "percentile_cont(0.5) WITHIN GROUP (ORDER BY $v) $f"],
]);

/**
 * The SQL expression of a metric; undefined where PostgreSQL has no such function or defines it otherwise (its
 * percentiles take another rank).
 * @param column quoted
 */
export function findPushdown(metric: string, column: string, kind: ColumnKind): string | undefined {
  const { name } = requireMetric(metric);
  if (name === "count") return countOf(column, kind);
  const expression = pushdowns.get(name);
  if (expression === undefined) return undefined;
  const value = `${column}::float8`;
  return expression.replaceAll("$f", `FILTER (WHERE ${whereFinite(value)})`).replaceAll("$v", () => value);
}

function countOf(column: string, kind: ColumnKind): string {
  const counted = `count(${column})`;
  return kind === "number" ? `${counted} FILTER (WHERE ${whereFinite(`${column}::float8`)})` : counted;
}

/** The condition that a row has a point of a feature. @param column quoted */
export function wherePoint(column: string, kind: ColumnKind): string {
  return kind === "number" ? whereFinite(`${column}::float8`) : `${column} IS NOT NULL`;
}

/** In PostgreSQL NaN compares greater than all other numbers. */
export function whereFinite(value: string): string {
  return `${value} > '-Infinity' AND ${value} < 'Infinity'`;
}
