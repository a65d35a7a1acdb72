// Which reads go together, what they ask for as one, and what of the answer belongs to each; pure.
import type { Bucket } from "../../buckets/kind.ts";
import { countIntervals, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";

/** Columns of a combined read, and numbers: what every kind answers in one go. */
const MAX_FEATURES = 64;
const MAX_VALUES = 20_000;

/** A read that somebody wants. */
export interface Wanted {
  readonly bucket: Bucket;
  readonly query: ReadQuery;
}

/** Whether a read can be part of a combined one: a query of its own may be as slow as its author likes. */
export function isCombinable({ query }: Pick<Wanted, "query">): boolean {
  return query.features.every((feature) => feature.query === undefined);
}

/** The first of them and all that fit beside it. */
export function chooseGroup<A extends Wanted>(asks: readonly A[]): A[] {
  const [first] = asks;
  if (!first) return [];
  const { range, intervalMs } = first.query;
  const most = Math.min(
    MAX_FEATURES,
    Math.floor(MAX_VALUES / Math.max(1, countIntervals(range, intervalMs))),
  );
  const keys = new Set(first.query.features.map(keyOf));
  const group = [first];
  for (const ask of asks.slice(1)) {
    const { query } = ask;
    const isSame =
      ask.bucket === first.bucket &&
      query.intervalMs === intervalMs &&
      query.range.fromAt === range.fromAt &&
      query.range.toAt === range.toAt;
    if (!isSame) continue;
    const more = query.features.map(keyOf).filter((key) => !keys.has(key));
    if (keys.size + more.length > most) continue;
    for (const key of more) keys.add(key);
    group.push(ask);
  }
  return group;
}

/** What two features with the same column have in common. */
function keyOf({ metric, field, measurement, tags }: FeatureQuery): string {
  return JSON.stringify([metric, field, measurement ?? null, tags.map(({ tag, value }) => [tag, value])]);
}

/** One query with every column that somebody wants, under names of its own. */
export function combine(asks: readonly Pick<Wanted, "query">[]): ReadQuery {
  const byKey = new Map<string, FeatureQuery>();
  for (const { query } of asks) {
    for (const feature of query.features) {
      const key = keyOf(feature);
      if (!byKey.has(key)) byKey.set(key, { ...feature, name: `c${byKey.size}` });
    }
  }
  return { ...asks[0]!.query, features: [...byKey.values()] };
}

/** The answer to one of them: columns of its own, under the names it knows. */
export function pick(whole: Grid, combined: ReadQuery, { query }: Pick<Wanted, "query">): Grid {
  const names = new Map(combined.features.map((feature) => [keyOf(feature), feature.name]));
  const columns: Record<string, Float64Array> = {};
  for (const feature of query.features) {
    const column = whole.columns[names.get(keyOf(feature))!];
    if (column) columns[feature.name] = column.slice();
  }
  return { ...whole, columns };
}
