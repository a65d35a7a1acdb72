// Grid reads from Elasticsearch: a date histogram with one filter per source of features, in slices.
import { isRecord } from "../../core/input/json.ts";
import { sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import type { Client } from "../../net/fetch.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import { type FieldTypes, findSeriesFields, isNumber, matchFeature, readFieldTypes } from "./fields.ts";
import { findPushdown, type Pushdown, type Stats } from "./pushdown.ts";
import { garbled, type Json, type Store } from "./store.ts";

/** Elasticsearch 7.0 refuses more buckets in one answer; a filter in an interval is one too. */
const BUCKETS_PER_SEARCH = 10_000;
/** Elasticsearch refuses more documents in one page. */
const DOCUMENTS_PER_SEARCH = 10_000;

/** Reads the grid. */
export async function readGrid(
  source: Omit<Reader, "types" | "signal">,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const { store, seriesBy } = source;
  const types = await readFieldTypes(store, { features: query.features, tags: seriesBy }, signal);
  const reader: Reader = { ...source, types, signal };
  return readThrough(
    {
      findPushdown,
      emptyOf: ({ metric, query: own }, pushdown) =>
        own === undefined ? requireMetric(metric).empty : pushdown.own?.agg ? Number.NaN : 0,
      readPushed: (whole, pushed) => readPushed(reader, whole, pushed),
      streamSamples: ({ feature, range, withSeries }) =>
        streamSamples({ ...reader, seriesBy: withSeries ? seriesBy : [] }, feature, range),
    },
    query,
    signal,
  );
}

interface Reader {
  readonly store: Store;
  /** Name of the field that holds the time. */
  readonly timestamp: string;
  /** Fields that identify a series. */
  readonly seriesBy: readonly string[];
  readonly types: FieldTypes;
  readonly signal: AbortSignal;
}

/** Features that share one filter. */
type Group = readonly Pushed<Pushdown>[];

async function readPushed(
  reader: Reader,
  query: ReadQuery,
  pushed: readonly Pushed<Pushdown>[],
): Promise<void> {
  const groups = [...Map.groupBy(pushed, ({ feature }) => keyOf(feature)).values()];
  const aggs = Object.fromEntries(groups.map((group, i) => [`g${i}`, aggregate(reader.types, group)]));
  const perSlice = Math.max(1, Math.floor(BUCKETS_PER_SEARCH / (groups.length + 1)));
  for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
    const answer = await reader.store.search(
      {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: [matchRange(reader, range)] } },
        aggs: {
          intervals: {
            // Intervals without documents are omitted: the columns hold their values already.
            date_histogram: {
              field: reader.timestamp,
              fixed_interval: `${query.intervalMs}ms`,
              min_doc_count: 1,
            },
            aggs,
          },
        },
      },
      reader.signal,
    );
    placeBuckets(reader.store.client, { query, answer }, groups);
  }
}

function keyOf({ field, tags, query }: FeatureQuery): string {
  return JSON.stringify(query === undefined ? [field, tags.map(({ tag, value }) => [tag, value])] : query);
}

function aggregate(types: FieldTypes, group: Group): Json {
  const [{ feature, pushdown }] = group as [Pushed<Pushdown>];
  if (pushdown.own) {
    const { clause, agg } = pushdown.own;
    return { filter: clause, ...(agg && { aggs: { value: agg } }) };
  }
  const wantsStats = group.some((one) => one.pushdown.convert) && isNumber(types, feature.field);
  return {
    filter: { bool: { filter: matchFeature(types, feature) } },
    ...(wantsStats && { aggs: { stats: { extended_stats: { field: feature.field } } } }),
  };
}

function matchRange({ timestamp }: Reader, { fromAt, toAt }: Range): Json {
  return { range: { [timestamp]: { gte: fromAt, lt: toAt, format: "epoch_millis" } } };
}

/** Places intervals by their key; their number carries no information. */
function placeBuckets(
  client: Client,
  { query, answer }: { readonly query: ReadQuery; readonly answer: Json },
  groups: readonly Group[],
): void {
  for (const bucket of readBuckets(client, answer)) {
    if (!isRecord(bucket) || typeof bucket.key !== "number") throw garbled(client);
    const slot = findSlot(client, query, bucket.key);
    for (const [i, group] of groups.entries()) {
      const found = bucket[`g${i}`];
      if (!isRecord(found) || typeof found.doc_count !== "number") throw garbled(client);
      for (const { feature, pushdown, columnOf } of group) {
        const value = readValue(client, { feature, pushdown, found });
        if (value !== undefined) columnOf(NO_GROUP)![slot] = value;
      }
    }
  }
}

function readBuckets(client: Client, { aggregations, _shards: shards }: Json): readonly unknown[] {
  // A missing index answers without aggregations.
  if (aggregations === undefined && isRecord(shards) && shards.total === 0) return [];
  const intervals = isRecord(aggregations) ? aggregations.intervals : undefined;
  if (!isRecord(intervals) || !Array.isArray(intervals.buckets)) throw garbled(client);
  return intervals.buckets;
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

/** The documents' numbers, page by page. */
async function* streamSamples(reader: Reader, feature: FeatureQuery, range: Range): AsyncGenerator<Samples> {
  const { store, timestamp, types, signal } = reader;
  if (!isNumber(types, feature.field)) return;
  const { client } = store;
  const fields = [feature.field, ...findSeriesFields(types, reader.seriesBy)];
  yield* streamWindows({ range, limit: DOCUMENTS_PER_SEARCH - 1, client }, async (window) => {
    const answer = await store.search(
      {
        size: DOCUMENTS_PER_SEARCH,
        track_total_hits: false,
        _source: false,
        query: { bool: { filter: [matchRange(reader, window), ...matchFeature(types, feature)] } },
        sort: [{ [timestamp]: { order: "asc", unmapped_type: "date", numeric_type: "date" } }],
        docvalue_fields: fields.map((field) => ({ field })),
      },
      signal,
    );
    return toSamples(readHits(client, answer, fields));
  });
}

/** @param fields that of the value, then those that identify the series */
function readHits(client: Client, answer: Json, [field = "", ...tags]: readonly string[]): SeriesPoint[] {
  const { hits } = answer.hits as Json;
  if (!Array.isArray(hits)) throw garbled(client);
  return hits.flatMap((hit) => {
    const [at] = Array.isArray(hit?.sort) ? hit.sort : [];
    const values = hit?.fields?.[field];
    if (typeof at !== "number" || !Array.isArray(values)) throw garbled(client);
    const series = seriesKeyOfRow(tags.map((tag) => hit.fields[tag]));
    return values.map((value) => [at, Number(value), series] as const);
  });
}
