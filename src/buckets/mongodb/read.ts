// Grid reads from MongoDB: one $group stage per source of features, in slices of the range.
import type { Collection } from "mongodb";
import { groupBySource, sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { upstreamError } from "../../net/refusal.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { streamWindows, toSamples } from "../shared/windows.ts";
import type { Connection, Document } from "./connection.ts";
import { fromTime, matchFeature, readPath, requirePath, type TimeField, toTime } from "./document.ts";

const INTERVALS_PER_QUERY = 20_000;
const DOCUMENTS_PER_QUERY = 50_000;

/** The $group result of an interval; null where it has no numbers. */
interface Totals {
  readonly count: number;
  readonly sum: number;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly deviation: number | null;
}
type Convert = (totals: Totals) => number | null;

/** By canonical name of the metric. Its percentiles are estimates, and its first and last need a sorted range. */
const pushdowns: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ["count", ({ count }) => count],
  ["sum", ({ sum, avg }) => (avg === null ? null : sum)],
  ["avg", ({ avg }) => avg],
  ["min", ({ min }) => min],
  ["max", ({ max }) => max],
  ["spread", ({ min, max }) => (min === null || max === null ? null : max - min)],
  ["stddev", ({ deviation }) => deviation],
  ["variance", ({ deviation }) => (deviation === null ? null : deviation ** 2)],
]);

interface Reader {
  readonly connection: Connection;
  readonly time: TimeField;
  /** Fields that identify a series. */
  readonly seriesBy: readonly string[];
  readonly signal: AbortSignal;
}

/** Reads the grid. @throws TorusError `invalid` for a name that MongoDB cannot hold */
export async function readGrid(
  source: Omit<Reader, "signal">,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const reader: Reader = { ...source, signal };
  return readThrough(
    {
      findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
      readPushed: (whole, pushed) => readPushed(reader, whole, pushed),
      streamSamples: ({ feature, range, withSeries }) =>
        streamSamples({ ...reader, seriesBy: withSeries ? reader.seriesBy : [] }, feature, range),
    },
    query,
    signal,
  );
}

/** Adapts the connection to the error interface of a client. */
function clientOf({ upstream }: Connection) {
  return {
    refuse: (code: "bucket_rejected" | "bucket_unavailable" | "bucket_auth", reason: string) =>
      upstreamError(upstream, code, reason),
  };
}

async function readPushed(
  { connection, time, signal }: Reader,
  query: ReadQuery,
  pushed: readonly Pushed<Convert>[],
): Promise<void> {
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    const group = features.map(({ name }) => byName.get(name)!);
    for (const range of sliceRange(query.range, INTERVALS_PER_QUERY * query.intervalMs)) {
      const pipeline = groupIntervals(features[0]!, { range, intervalMs: query.intervalMs }, time);
      const found = await connection.run((collection) => aggregate(collection, pipeline), signal);
      for (const totals of found) {
        const startAt = range.fromAt + Number(totals._id) * query.intervalMs;
        const slot = findSlot(clientOf(connection), query, startAt);
        for (const { pushdown, columnOf } of group)
          columnOf(NO_GROUP)![slot] = pushdown(totals as unknown as Totals) ?? Number.NaN;
      }
    }
  }
}

function aggregate(collection: Collection<Document>, pipeline: Document[]): Promise<Document[]> {
  return collection.aggregate(pipeline, { allowDiskUse: true }).toArray();
}

/** Differences of dates are in ms; only seconds need another step. */
function groupIntervals(
  feature: FeatureQuery,
  { range, intervalMs }: { readonly range: Range; readonly intervalMs: number },
  time: TimeField,
): Document[] {
  const value = `$${requirePath(feature.field)}`;
  const number = { $cond: [{ $isNumber: value }, value, null] };
  const step = time.unit === "s" ? intervalMs / 1000 : intervalMs;
  const elapsed = { $subtract: [`$${time.name}`, toTime(range.fromAt, time.unit)] };
  return [
    { $match: matchFeature(feature, range, time) },
    {
      $group: {
        _id: { $floor: { $divide: [elapsed, step] } },
        count: { $sum: 1 },
        sum: { $sum: number },
        avg: { $avg: number },
        min: { $min: number },
        max: { $max: number },
        deviation: { $stdDevSamp: number },
      },
    },
  ];
}

/** The documents' numbers, page by page in order of time. */
function streamSamples(
  { connection, time, seriesBy, signal }: Reader,
  feature: FeatureQuery,
  range: Range,
): AsyncGenerator<Samples> {
  const options = { range, limit: DOCUMENTS_PER_QUERY, client: clientOf(connection) };
  const path = requirePath(feature.field).split(".");
  const tags = seriesBy.map((name) => requirePath(name).split("."));
  const names = [time.name, feature.field, ...seriesBy];
  const projection = { _id: 0, ...Object.fromEntries(names.map((name) => [name, 1])) };
  return streamWindows(options, async (window) => {
    const filter = { $and: [matchFeature(feature, window, time), { [feature.field]: { $type: "number" } }] };
    const found = await connection.run(
      (collection) =>
        collection
          .find(filter, { projection })
          .sort({ [time.name]: 1 })
          .limit(DOCUMENTS_PER_QUERY + 1)
          .toArray(),
      signal,
    );
    return toSamples(
      found.flatMap((document) => {
        const series = seriesKeyOfRow(tags.map((tag) => readPath(document, tag)));
        return toPoint(document, path, time)?.map((point) => [...point, series] as const) ?? [];
      }),
    );
  });
}

/** A list of one; empty where the value is not a plain number. */
function toPoint(
  document: Document,
  path: readonly string[],
  { name, unit }: TimeField,
): (readonly [number, number])[] | undefined {
  const at = fromTime(readPath(document, name.split(".")), unit);
  const value = Number(readPath(document, path));
  return at === undefined || !Number.isFinite(value) ? undefined : [[at, value]];
}
