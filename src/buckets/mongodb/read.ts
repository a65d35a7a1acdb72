// Grid reads from MongoDB: one $group stage per source of features, in slices of the range.
import type { Collection } from "mongodb";
import { sliceRange } from "../../core/series/columns.ts";
import { countIntervals } from "../../core/series/grid.ts";
import { groupKeyOf } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { upstreamError } from "../../net/refusal.ts";
import {
  findSlot,
  type GridSource,
  groupPushed,
  intervalsPerAnswer,
  type Pushed,
  type RawQuery,
} from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import type { Connection, Document } from "./connection.ts";
import {
  fromTime,
  matchFeature,
  readPath,
  requirePath,
  selectGroups,
  type TimeField,
  toTime,
} from "./document.ts";

const INTERVALS_PER_QUERY = 20_000;
const DOCUMENTS_PER_QUERY = 50_000;

/** The $group result of an interval; null where it has no numbers. */
interface Totals {
  readonly numbers: number;
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

/** Opens a read. @throws TorusError `invalid` for a name that MongoDB cannot hold */
export function openSource(reader: Reader): GridSource<Convert> {
  return {
    findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
    readPushed: (query, pushed) => readPushed(reader, query, pushed),
    streamSamples: (raw) => streamSamples(reader, raw),
  };
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
  query: GroupedQuery,
  pushed: readonly Pushed<Convert>[],
): Promise<void> {
  const perSlice = intervalsPerAnswer(query, INTERVALS_PER_QUERY);
  for (const group of groupPushed(pushed)) {
    for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
      const pipeline = groupIntervals(group[0]!.feature, { ...query, range }, time);
      const found = await connection.run((collection) => aggregate(collection, pipeline), signal);
      for (const { _id, ...totals } of found) {
        const { slot: index, ...tags } = query.groupBy.length > 0 ? _id : { slot: _id };
        const slot = findSlot(clientOf(connection), query, range.fromAt + Number(index) * query.intervalMs);
        const key = groupKeyOf(query.groupBy.map((_, i) => tags[`g${i}`]));
        place({ slot, key, totals: totals as Totals }, group);
      }
    }
  }
}

/** The totals of one interval of one group. */
interface Found {
  readonly slot: number;
  readonly key: string;
  readonly totals: Totals;
}

/** Texts are no points but for `count`: they make no group. */
function place({ slot, key, totals }: Found, group: readonly Pushed<Convert>[]): void {
  for (const { feature, pushdown, columnOf } of group) {
    if (totals.numbers === 0 && requireMetric(feature.metric).counts === "numbers") continue;
    const column = columnOf(key);
    if (column) column[slot] = pushdown(totals) ?? Number.NaN;
  }
}

function aggregate(collection: Collection<Document>, pipeline: Document[]): Promise<Document[]> {
  return collection.aggregate(pipeline, { allowDiskUse: true }).toArray();
}

/** Differences of dates are in ms; only seconds need another step. */
function groupIntervals(
  feature: FeatureQuery,
  { range, intervalMs, groupBy, maxSeries }: GroupedQuery,
  time: TimeField,
): Document[] {
  const value = `$${requirePath(feature.field)}`;
  const number = { $cond: [{ $isNumber: value }, value, null] };
  const step = time.unit === "s" ? intervalMs / 1000 : intervalMs;
  const elapsed = { $subtract: [`$${time.name}`, toTime(range.fromAt, time.unit)] };
  const slot = { $floor: { $divide: [elapsed, step] } };
  const tags = selectGroups(groupBy).map((tag, i) => [`g${i}`, tag] as const);
  const limit = (maxSeries + 1) * countIntervals(range, intervalMs);
  return [
    { $match: matchFeature(feature, range, time) },
    {
      $group: {
        _id: tags.length > 0 ? { slot, ...Object.fromEntries(tags) } : slot,
        count: { $sum: 1 },
        numbers: { $sum: { $cond: [{ $isNumber: value }, 1, 0] } },
        sum: { $sum: number },
        avg: { $avg: number },
        min: { $min: number },
        max: { $max: number },
        deviation: { $stdDevSamp: number },
      },
    },
    // The first groups, of which one more than wanted reveals that there are more.
    ...(tags.length > 0
      ? [{ $sort: Object.fromEntries(tags.map(([name]) => [`_id.${name}`, 1])) }, { $limit: limit }]
      : []),
  ];
}

/** The documents' numbers, page by page in order of time. */
function streamSamples(
  { connection, time, seriesBy, signal }: Reader,
  { feature, range, withSeries, groupBy }: RawQuery,
): AsyncGenerator<Samples> {
  const options = { range, limit: DOCUMENTS_PER_QUERY, client: clientOf(connection) };
  const path = requirePath(feature.field).split(".");
  const tags = (withSeries ? seriesBy : []).map((name) => requirePath(name).split("."));
  const groups = selectGroups(groupBy).map((tag, i) => [`torus_group${i}`, tag] as const);
  const names = [time.name, feature.field, ...tags.map((tag) => tag.join("."))];
  const projection = {
    ...{ _id: 0, ...Object.fromEntries(names.map((name) => [name, 1])) },
    ...Object.fromEntries(groups),
  };
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
      found.flatMap((document): SeriesPoint[] => {
        const point = toPoint(document, path, time);
        const series = seriesKeyOfRow(tags.map((tag) => readPath(document, tag)));
        const group = groups.length > 0 ? groupKeyOf(groups.map(([name]) => document[name])) : undefined;
        return point ? [[...point, series, group]] : [];
      }),
    );
  });
}

/** Undefined where the value is not a plain number. */
function toPoint(
  document: Document,
  path: readonly string[],
  { name, unit }: TimeField,
): readonly [number, number] | undefined {
  const at = fromTime(readPath(document, name.split(".")), unit);
  const value = Number(readPath(document, path));
  return at === undefined || !Number.isFinite(value) ? undefined : [at, value];
}
