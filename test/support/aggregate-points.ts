// Oracle of reads: reduces the points of one measurement to a grid, all features in one pass.
import { createColumn } from "../../src/buckets/shared/column.ts";
import { countIntervals, type Grid } from "../../src/core/series/grid.ts";
import type { FeatureQuery, FieldValue, Point, ReadQuery } from "../../src/core/series/query.ts";
import { requireMetric } from "../../src/metrics/index.ts";
import { createYielder } from "../../src/runtime/steps.ts";

/**
 * Takes all points for one series, in any order; `feature.measurement` is ignored.
 * @throws the reason of `signal` when it is aborted
 */
export async function aggregatePoints(
  query: ReadQuery,
  points: readonly Point[],
  signal: AbortSignal,
): Promise<Grid> {
  const yieldNow = createYielder(signal);
  const columns = query.features.map((feature) => createColumn(query, requireMetric(feature.metric)));
  for (const [i, point] of points.toSorted((a, b) => a.at - b.at).entries()) {
    for (const [index, feature] of query.features.entries()) {
      const value = valueFor(feature, point);
      if (value !== null) columns[index]!.add(point.at, typeof value === "number" ? value : Number.NaN);
    }
    if (i % 1024 === 0) await yieldNow();
  }
  return {
    startAt: query.range.fromAt,
    intervalMs: query.intervalMs,
    length: countIntervals(query.range, query.intervalMs),
    columns: Object.fromEntries(query.features.map(({ name }, index) => [name, columns[index]!.finish()])),
  };
}

/** The feature's value in a point; null where the point lacks the field or one of the tags. */
function valueFor(feature: FeatureQuery, { fields, tags }: Point): FieldValue {
  for (const { tag, value } of feature.tags) {
    if (!Object.hasOwn(tags, tag) || tags[tag] !== value) return null;
  }
  return Object.hasOwn(fields, feature.field) ? fields[feature.field]! : null;
}
