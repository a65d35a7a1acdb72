// Saved predictions as metrics: under a prefix, with constant labels.
import type { FieldValue, Point } from "../../core/series/query.ts";
import { nameMetric } from "./selector.ts";

const FLAG = "is_anomaly";

/** A label that changes would split the series, so the flag becomes a metric of its own, 0 or 1. */
export function toPrediction({ at, fields, tags }: Point, prefix: string): Point {
  const { [FLAG]: flag, ...shared } = tags;
  const all: Record<string, FieldValue> = {
    ...(flag !== undefined && { [FLAG]: flag === "True" ? 1 : 0 }),
    ...fields,
  };
  const renamed = Object.entries(all).map(([name, value]) => [
    `${prefix}${nameMetric(name, undefined)}`,
    value,
  ]);
  return { at, fields: Object.fromEntries(renamed), tags: shared };
}
