// Aggregations of Elasticsearch: a bucket per interval, or per group and interval, with one filter per source of features.
import { isRecord } from "../../core/input/json.ts";
import { sliceRange } from "../../core/series/columns.ts";
import type { Range } from "../../core/series/grid.ts";
import { groupKeyOf, NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery, ReadQuery } from "../../core/series/query.ts";
import type { Client } from "../../net/fetch.ts";
import { findSlot, type Pushed } from "../shared/pushdown.ts";
import { type FieldTypes, isNumber, matchFeature } from "./fields.ts";
import type { Pushdown, Stats } from "./pushdown.ts";
import { garbled, type Json, type Store } from "./store.ts";

/** Elasticsearch 7.0 refuses more buckets in one answer; a filter in an interval is one too. */
const BUCKETS_PER_SEARCH = 10_000;

export interface Reader {
  readonly store: Store;
  /** Name of the field that holds the time. */
  readonly timestamp: string;
  /** Fields that identify a series. */
  readonly seriesBy: readonly string[];
  /** Fields that hold the values of tags by which the read is grouped, see `findGroupFields`. */
  readonly groupFields: readonly (string | undefined)[];
  readonly types: FieldTypes;
  readonly signal: AbortSignal;
}

/** Features that share one filter, at least one. */
type Group = readonly Pushed<Pushdown>[];

/** Reads slice by slice of the range, an interval per bucket. */
export async function readPushed(
  reader: Reader,
  query: ReadQuery,
  pushed: readonly Pushed<Pushdown>[],
): Promise<void> {
  const groups = groupByFilter(pushed);
  const aggs = aggregateAll(reader, groups);
  const perSlice = Math.max(1, Math.floor(BUCKETS_PER_SEARCH / (groups.length + 1)));
  for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
    const answer = await reader.store.search(
      {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: [matchRange(reader, range)] } },
        aggs: {
          // Intervals without documents are omitted: the columns hold their values already.
          intervals: {
            date_histogram: { ...divide(reader, query), min_doc_count: 1 },
            aggs,
          },
        },
      },
      reader.signal,
    );
    for (const bucket of readIntervals(reader.store.client, answer).buckets)
      place(reader, { query, bucket, at: bucket.key, key: NO_GROUP }, groups);
  }
}

/** Reads page by page, a bucket per combination of tag values and interval, in this order. */
export async function readComposite(
  reader: Reader,
  query: GroupedQuery,
  pushed: readonly Pushed<Pushdown>[],
): Promise<void> {
  const { groupFields, types } = reader;
  const groups = groupByFilter(pushed);
  const size = Math.max(1, Math.floor(BUCKETS_PER_SEARCH / (groups.length + 1)));
  const should = groups.map(([one]) => ({ bool: matchOne(types, one!) }));
  const aggs = aggregateAll(reader, groups);
  // Texts are in the order of bytes, in which groups are dropped; numbers are not.
  const isInOrder = groupFields.every(
    (field) => field === undefined || types.get(field)?.every((type) => type === "keyword"),
  );
  // Each page visits the documents of its slice anew.
  const perSlice = Math.max(1, Math.floor(size / query.maxSeries));
  for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
    const filter = [matchRange(reader, range), { bool: { should, minimum_should_match: 1 } }];
    for await (const buckets of readPages(reader, { query, filter, aggs, size })) {
      let isBeyond = false;
      for (const bucket of buckets) {
        const values = isRecord(bucket.key) ? bucket.key : {};
        const key = groupKeyOf(groupFields.map((_, i) => values[`t${i}`]));
        isBeyond = !place(reader, { query, bucket, at: values.at, key }, groups);
      }
      if (isBeyond && isInOrder) break;
    }
  }
}

interface Composite {
  readonly query: ReadQuery;
  readonly filter: readonly Json[];
  readonly aggs: Json;
  /** Buckets per page. */
  readonly size: number;
}

/** Pages of the buckets of tag values, named `t0`, `t1`, and so on, and intervals, named `at`. */
async function* readPages(
  reader: Reader,
  { query, filter, aggs, size }: Composite,
): AsyncGenerator<readonly Json[]> {
  const { store, groupFields, signal } = reader;
  const tags = groupFields.flatMap((field, i) =>
    field === undefined ? [] : [{ [`t${i}`]: { terms: { field, missing_bucket: true } } }],
  );
  const sources = [...tags, { at: { date_histogram: divide(reader, query) } }];
  let after: unknown;
  do {
    const composite = { size, sources, ...(after !== undefined && { after }) };
    const intervals = { composite, aggs };
    const answer = await store.search(
      { size: 0, track_total_hits: false, query: { bool: { filter } }, aggs: { intervals } },
      signal,
    );
    const { buckets, after_key } = readIntervals(store.client, answer);
    yield buckets;
    after = buckets.length < size ? undefined : after_key;
  } while (after !== undefined);
}

function divide({ timestamp }: Reader, { intervalMs }: ReadQuery): Json {
  return { field: timestamp, fixed_interval: `${intervalMs}ms` };
}

function groupByFilter(pushed: readonly Pushed<Pushdown>[]): Group[] {
  return [...Map.groupBy(pushed, ({ feature }) => keyOf(feature)).values()];
}

function aggregateAll({ types }: Reader, groups: readonly Group[]): Json {
  return Object.fromEntries(groups.map((group, i) => [`g${i}`, aggregate(types, group)]));
}

function keyOf({ field, tags, query }: FeatureQuery): string {
  return JSON.stringify(query === undefined ? [field, tags.map(({ tag, value }) => [tag, value])] : query);
}

/** The documents of a feature, as the body of a `bool`. */
function matchOne(types: FieldTypes, { feature, pushdown: { own } }: Pushed<Pushdown>): Json {
  return { filter: own ? [own.clause] : matchFeature(types, feature) };
}

function aggregate(types: FieldTypes, group: Group): Json {
  const [first] = group;
  const { feature, pushdown } = first!;
  if (pushdown.own) {
    const { clause, agg } = pushdown.own;
    return { filter: clause, ...(agg && { aggs: { value: agg } }) };
  }
  const wantsStats = group.some((one) => one.pushdown.convert) && isNumber(types, feature.field);
  return {
    filter: { bool: matchOne(types, first!) },
    ...(wantsStats && { aggs: { stats: { extended_stats: { field: feature.field } } } }),
  };
}

export function matchRange({ timestamp }: Reader, { fromAt, toAt }: Range): Json {
  return { range: { [timestamp]: { gte: fromAt, lt: toAt, format: "epoch_millis" } } };
}

/** The values of one interval of one group. */
interface Found {
  readonly query: ReadQuery;
  readonly bucket: Json;
  readonly at: unknown;
  readonly key: string;
}

/**
 * Places an interval by its time; the number of buckets carries no information.
 * @returns false for a group beyond the limit
 */
function place(
  { store: { client } }: Reader,
  { query, bucket, at, key }: Found,
  groups: readonly Group[],
): boolean {
  let isWithin = true;
  if (typeof at !== "number") throw garbled(client);
  const slot = findSlot(client, query, at);
  for (const [i, group] of groups.entries()) {
    const found = bucket[`g${i}`];
    if (!isRecord(found) || typeof found.doc_count !== "number") throw garbled(client);
    // A group has a point only where a document matches.
    if (found.doc_count === 0 && key !== NO_GROUP) continue;
    for (const { feature, pushdown, columnOf } of group) {
      const value = readValue(client, { feature, pushdown, found });
      if (value === undefined) continue;
      const column = columnOf(key);
      if (column) column[slot] = value;
      else isWithin = false;
    }
  }
  return isWithin;
}

function readIntervals(client: Client, { aggregations, _shards: shards }: Json) {
  // A missing index answers without aggregations.
  if (aggregations === undefined && isRecord(shards) && shards.total === 0) return { buckets: [] };
  const intervals = isRecord(aggregations) ? aggregations.intervals : undefined;
  if (!isRecord(intervals) || !Array.isArray(intervals.buckets) || !intervals.buckets.every(isRecord))
    throw garbled(client);
  return { buckets: intervals.buckets as readonly Json[], after_key: intervals.after_key };
}

/** @returns undefined where the interval has no value */
function readValue(
  client: Client,
  {
    feature,
    pushdown,
    found,
  }: { readonly feature: FeatureQuery; readonly pushdown: Pushdown; readonly found: Json },
): number | undefined {
  const documents = found.doc_count as number;
  if (pushdown.countsDocuments || (pushdown.own && !pushdown.own.agg)) return documents;
  if (pushdown.own) {
    const value = isRecord(found.value) ? found.value.value : undefined;
    if (value === null) return undefined;
    if (typeof value === "number") return value;
    throw client.refuse("bucket_rejected", `the aggregation of ${feature.name} does not answer one value`);
  }
  const { stats } = found;
  if (stats === undefined) return undefined;
  if (!isRecord(stats) || typeof stats.count !== "number") throw garbled(client);
  return stats.count > 0 ? pushdown.convert!(stats as unknown as Stats) : undefined;
}
