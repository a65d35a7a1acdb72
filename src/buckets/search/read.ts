// Grid reads from Elasticsearch: a date histogram with one filter per source of features, in slices.
import { groupKeyOf } from "../../core/series/grouped-grid.ts";
import type { GroupedQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import type { Client } from "../../net/fetch.ts";
import type { GridSource, RawQuery } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import { matchRange, type Reader, readComposite, readPushed } from "./aggregate.ts";
import { findGroupFields, findSeriesFields, isNumber, matchFeature, readFieldTypes } from "./fields.ts";
import { findPushdown, type Pushdown } from "./pushdown.ts";
import { garbled, type Json } from "./store.ts";

/** Elasticsearch refuses more documents in one page. */
const DOCUMENTS_PER_SEARCH = 10_000;

type Place = Omit<Reader, "types" | "groupFields" | "signal">;

/** Opens a read, the queries of features included. */
export async function openSource(
  place: Place,
  { features, groupBy }: GroupedQuery,
  signal: AbortSignal,
): Promise<GridSource<Pushdown>> {
  const isAsked = features.some((feature) => feature.query === undefined);
  const tags = [...(isAsked ? place.seriesBy : []), ...groupBy];
  const types = await readFieldTypes(place.store, { features, tags }, signal);
  const reader: Reader = { ...place, types, groupFields: findGroupFields(types, groupBy), signal };
  return {
    findPushdown,
    emptyOf: ({ query: own, metric }, { own: counted }) => {
      if (own === undefined) return requireMetric(metric).empty;
      return counted?.agg ? Number.NaN : 0;
    },
    readPushed: (whole, pushed) =>
      groupBy.length === 0 ? readPushed(reader, whole, pushed) : readComposite(reader, whole, pushed),
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

/** The documents' numbers, page by page. */
async function* streamSamples(
  reader: Reader,
  { feature, range, withSeries, groupBy }: RawQuery,
): AsyncGenerator<Samples> {
  const { store, timestamp, types, groupFields, signal } = reader;
  if (!isNumber(types, feature.field)) return;
  const { client } = store;
  const tags = withSeries ? findSeriesFields(types, reader.seriesBy) : [];
  const groups = groupBy.length > 0 ? groupFields : [];
  const fields = [feature.field, ...tags, ...groups.filter((field) => field !== undefined)];
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
    return toSamples(readHits(client, answer, { field: feature.field, tags, groups }));
  });
}

/** Names of the fields of a hit. */
interface HitFields {
  readonly field: string;
  /** Those that identify the series. */
  readonly tags: readonly string[];
  /** Those that hold the values of the group. */
  readonly groups: readonly (string | undefined)[];
}

function readHits(client: Client, answer: Json, { field, tags, groups }: HitFields): SeriesPoint[] {
  const { hits } = answer.hits as Json;
  if (!Array.isArray(hits)) throw garbled(client);
  return hits.flatMap((hit) => {
    const [at] = Array.isArray(hit?.sort) ? hit.sort : [];
    const values = hit?.fields?.[field];
    if (typeof at !== "number" || !Array.isArray(values)) throw garbled(client);
    const series = seriesKeyOfRow(tags.map((tag) => hit.fields[tag]));
    const group =
      groups.length > 0 ? groupKeyOf(groups.map((tag) => tag && hit.fields[tag]?.[0])) : undefined;
    return values.map((value) => [at, Number(value), series, group] as const);
  });
}
