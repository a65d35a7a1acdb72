// Columns of a read: groups features with the same points, and builds the grid.
import { countIntervals, type Grid, type Range } from "./grid.ts";
import type { FeatureQuery, ReadQuery } from "./query.ts";

/** Columns of a grid under construction, by name of the feature. */
export type Columns = Map<string, Float64Array>;

/** Groups features of the same points, which are read together. */
export function groupBySource(features: readonly FeatureQuery[]): FeatureQuery[][] {
  return [...Map.groupBy(features, sourceKeyOf).values()];
}

/** Equal for features of the same points. */
export function sourceKeyOf({ field, measurement, tags }: FeatureQuery): string {
  return JSON.stringify([field, measurement ?? null, tags.map(({ tag, value }) => [tag, value])]);
}

/** The grid of a read, its columns in the order of the features. */
export function toGrid(query: ReadQuery, columns: Columns): Grid {
  return {
    startAt: query.range.fromAt,
    intervalMs: query.intervalMs,
    length: countIntervals(query.range, query.intervalMs),
    columns: Object.fromEntries(query.features.map(({ name }) => [name, columns.get(name)!])),
  };
}

/** Splits a range into consecutive parts of at most `sliceMs`. */
export function* sliceRange({ fromAt, toAt }: Range, sliceMs: number): Generator<Range> {
  for (let at = fromAt; at < toAt; at += sliceMs) yield { fromAt: at, toAt: Math.min(at + sliceMs, toAt) };
}
