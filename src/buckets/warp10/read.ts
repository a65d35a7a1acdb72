// Grid reads from Warp 10: series are bucketized there and combined here.
import { groupBySource, sliceRange } from "../../core/series/columns.ts";
import type { Grid } from "../../core/series/grid.ts";
import { type GroupedGrid, groupKeyOfTags } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import {
  findSlot,
  type GridSource,
  intervalsPerAnswer,
  type Pushed,
  type RawQuery,
  readGroupsThrough,
  readThrough,
} from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfTags } from "../shared/series-by.ts";
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import { bucketize, fetchSeries, keepSeries, type Source } from "./script.ts";
import { garbled, type Series, type Store } from "./store.ts";

/** Buckets per series. */
const INTERVALS_PER_SCRIPT = 2000;
const POINTS_PER_WINDOW = 100_000;

/** The bucketizers of a metric, and the combination of their results over series. */
const parts = {
  count: (a: number, b: number) => a + b,
  sum: (a: number, b: number) => a + b,
  min: Math.min,
  max: Math.max,
} as const;
type Part = keyof typeof parts;

interface Pushdown {
  readonly parts: readonly Part[];
  /** The value by its parts, in order. */
  combine(first: number, second: number): number;
}

const plain = (part: Part): Pushdown => ({ parts: [part], combine: (value) => value });

/** By canonical name of the metric: those that can be combined from the results of single series. */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map([
  ["count", plain("count")],
  ["sum", plain("sum")],
  ["min", plain("min")],
  ["max", plain("max")],
  ["avg", { parts: ["sum", "count"], combine: (sum, count) => sum / count }],
  ["spread", { parts: ["max", "min"], combine: (max, min) => max - min }],
]);

interface Reader {
  readonly store: Store;
  readonly source: Source;
  readonly signal: AbortSignal;
}

type Place = Omit<Reader, "signal">;

/** Reads the grid. */
export async function readGrid(place: Place, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  return readThrough(openSource({ ...place, signal }), query, signal);
}

/** Reads a grid per group. */
export async function readGroups(
  place: Place,
  query: GroupedQuery,
  signal: AbortSignal,
): Promise<GroupedGrid> {
  return readGroupsThrough(openSource({ ...place, signal }), query, signal);
}

function openSource(reader: Reader): GridSource<Pushdown> {
  return {
    findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
    readPushed: (query, pushed) => readPushed(reader, query, pushed),
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

async function readPushed(
  { store, source, signal }: Reader,
  query: GroupedQuery,
  pushed: readonly Pushed<Pushdown>[],
): Promise<void> {
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    if (!canMatch(features[0]!)) continue;
    const group = features.map(({ name }) => byName.get(name)!);
    const bucketizers = [...new Set(group.flatMap(({ pushdown }) => pushdown.parts))];
    const perScript = intervalsPerAnswer(query, INTERVALS_PER_SCRIPT, bucketizers.length);
    for (const range of sliceRange(query.range, perScript * query.intervalMs)) {
      const fetched = fetchSeries(features[0]!, source, range);
      const script = bucketize(fetched, { bucketizers, range, intervalMs: query.intervalMs });
      const lists = await store.run(script, signal);
      if (lists.length !== bucketizers.length) throw garbled(store.client);
      const found: Found = new Map();
      for (const [i, part] of bucketizers.entries()) merge(store, { query, part, list: lists[i] }, found);
      for (const [key, values] of found)
        for (const { pushdown, columnOf } of group) place(pushdown, values, columnOf(key));
    }
  }
}

/** False where a label would need two values: in a script, the last one would count. */
function canMatch({ tags }: FeatureQuery): boolean {
  const values = new Map(tags.map(({ tag, value }) => [tag, value]));
  return tags.every(({ tag, value }) => values.get(tag) === value);
}

/** Values by group, part and interval. */
type Found = Map<string, Map<Part, Map<number, number>>>;

/** Adds the values of all series. */
function merge(
  { client, readSeries }: Store,
  { query, part, list }: { readonly query: GroupedQuery; readonly part: Part; readonly list: unknown },
  found: Found,
): void {
  for (const { labels, points } of readSeries(list)) {
    if (points.length === 0) continue;
    const key = groupKeyOfTags(query.groupBy, labels);
    const ofGroup = found.get(key) ?? new Map<Part, Map<number, number>>();
    found.set(key, ofGroup);
    const values = ofGroup.get(part) ?? new Map<number, number>();
    ofGroup.set(part, values);
    for (const [micros, value] of points) {
      if (typeof value !== "number") throw garbled(client);
      const slot = findSlot(client, query, (micros + 1) / 1000 - query.intervalMs);
      const before = values.get(slot);
      values.set(slot, before === undefined ? value : parts[part](before, value));
    }
  }
}

function place(
  { parts: [first, second], combine }: Pushdown,
  found: ReadonlyMap<Part, ReadonlyMap<number, number>>,
  column: Float64Array | undefined,
): void {
  if (!column) return;
  for (const [slot, value] of found.get(first!) ?? [])
    column[slot] = combine(value, (second && found.get(second)?.get(slot)) ?? Number.NaN);
}

/** The numbers of all series, window by window. */
async function* streamSamples(
  { store, source, signal }: Reader,
  { feature, range, groupBy }: RawQuery,
): AsyncGenerator<Samples> {
  if (!canMatch(feature)) return;
  const options = { range, limit: POINTS_PER_WINDOW, client: store.client };
  yield* streamWindows(options, async (window) => {
    const lists = await store.run(keepSeries(fetchSeries(feature, source, window)), signal);
    if (lists.length !== 1) throw garbled(store.client);
    return toSamples(store.readSeries(lists[0]).flatMap((series) => numbersOf(series, groupBy)));
  });
}

function numbersOf({ labels, points }: Series, groupBy: readonly string[]): SeriesPoint[] {
  const name = seriesKeyOfTags(Object.entries(labels));
  const group = groupBy.length > 0 ? groupKeyOfTags(groupBy, labels) : undefined;
  return points.flatMap(([micros, value]) =>
    typeof value === "number" ? [[Math.floor(micros / 1000), value, name, group] as const] : [],
  );
}
