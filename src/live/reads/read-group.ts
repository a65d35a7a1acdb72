// Combines reads of one range into a query with all their columns, and splits the answer; pure.
import type { Bucket } from "../../buckets/kind.ts";
import { countIntervals, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";

/** Columns and values of a combined read: every kind of bucket answers that many in one request. */
const MAX_FEATURES = 64;
const MAX_VALUES = 20_000;

export interface ReadRequest {
  readonly bucket: Bucket;
  readonly query: ReadQuery;
}

/** Whether a read can be combined: not with queries written by users, which may be slow. */
export function isCombinable({ query }: Pick<ReadRequest, "query">): boolean {
  return query.features.every((feature) => feature.query === undefined);
}

/** The first read and all others that can be combined with it, within the limits. */
export function chooseGroup<A extends ReadRequest>(reads: readonly A[]): A[] {
  const [first] = reads;
  if (!first) return [];
  const { range, intervalMs } = first.query;
  const maxKeys = Math.min(
    MAX_FEATURES,
    Math.floor(MAX_VALUES / Math.max(1, countIntervals(range, intervalMs))),
  );
  const keys = new Set(first.query.features.map(keyOf));
  const group = [first];
  for (const read of reads.slice(1)) {
    const { query } = read;
    const isSame =
      read.bucket === first.bucket &&
      query.intervalMs === intervalMs &&
      query.range.fromAt === range.fromAt &&
      query.range.toAt === range.toAt;
    if (!isSame) continue;
    const more = query.features.map(keyOf).filter((key) => !keys.has(key));
    if (keys.size + more.length > maxKeys) continue;
    for (const key of more) keys.add(key);
    group.push(read);
  }
  return group;
}

/** Features with the same key share a column. */
function keyOf({ metric, field, measurement, tags }: FeatureQuery): string {
  return JSON.stringify([metric, field, measurement ?? null, tags.map(({ tag, value }) => [tag, value])]);
}

/** One query with the columns of all reads, named c0, c1, ... */
export function combine(reads: readonly Pick<ReadRequest, "query">[]): ReadQuery {
  const byKey = new Map<string, FeatureQuery>();
  for (const { query } of reads) {
    for (const feature of query.features) {
      const key = keyOf(feature);
      if (!byKey.has(key)) byKey.set(key, { ...feature, name: `c${byKey.size}` });
    }
  }
  return { ...reads[0]!.query, features: [...byKey.values()] };
}

/** The answer to one of the reads: its own columns, under its own names. */
export function pick(whole: Grid, combined: ReadQuery, { query }: Pick<ReadRequest, "query">): Grid {
  const names = new Map(combined.features.map((feature) => [keyOf(feature), feature.name]));
  const columns: Record<string, Float64Array> = {};
  for (const feature of query.features) {
    const column = whole.columns[names.get(keyOf(feature))!];
    if (column) columns[feature.name] = column.slice();
  }
  return { ...whole, columns };
}
