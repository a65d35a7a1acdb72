// Helpers of bucket tests: an instant, a signal, queries, comparison of columns.
import { expect } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { FeatureQuery, ReadQuery } from "../../src/core/series/query.ts";

export const MINUTE = 60_000;
/** A whole minute in November 2023. */
export const T0 = 1_699_999_980_000;

/** A signal that is never aborted. */
export function idle(): AbortSignal {
  return new AbortController().signal;
}

/** A feature `f`, by default the sum of `v`. */
export function aFeature(own: Partial<FeatureQuery> = {}): FeatureQuery {
  return { name: "f", metric: "sum", field: "v", tags: [], ...own };
}

/** One feature of `v` per metric, with the metric's name. */
export function featuresOf(metrics: readonly string[]): FeatureQuery[] {
  return metrics.map((metric) => aFeature({ name: metric, metric }));
}

/** A query of some minutes from T0. */
export function aQuery(features: readonly FeatureQuery[], minutes = 3): ReadQuery {
  return { range: { fromAt: T0, toAt: T0 + minutes * MINUTE }, intervalMs: MINUTE, features };
}

/** The column of one feature over some minutes from T0. */
export async function readColumn(
  bucket: Bucket,
  feature: Partial<FeatureQuery> = {},
  minutes = 3,
): Promise<Float64Array> {
  return (await bucket.read(aQuery([aFeature(feature)], minutes), idle())).columns.f!;
}

/** Equal up to rounding; NaN equals NaN. */
export function expectColumn(actual: Iterable<number>, expected: readonly number[]): void {
  const round = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(9)) : value);
  expect(Array.from(actual, round)).toEqual(expected.map(round));
}
