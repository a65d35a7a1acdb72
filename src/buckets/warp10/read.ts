// Grid reads from Warp 10: series are bucketized there and combined here.
import { groupBySource, sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
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

/** Reads the grid. */
export async function readGrid(
  { store, source }: Omit<Reader, "signal">,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const reader: Reader = { store, source, signal };
  return readThrough(
    {
      findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
      readPushed: (whole, pushed) => readPushed(reader, whole, pushed),
      streamSamples: ({ feature, range }) => streamSamples(reader, feature, range),
    },
    query,
    signal,
  );
}

async function readPushed(
  { store, source, signal }: Reader,
  query: ReadQuery,
  pushed: readonly Pushed<Pushdown>[],
): Promise<void> {
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    const group = features.map(({ name }) => byName.get(name)!);
    const bucketizers = [...new Set(group.flatMap(({ pushdown }) => pushdown.parts))];
    for (const range of sliceRange(query.range, INTERVALS_PER_SCRIPT * query.intervalMs)) {
      const fetched = fetchSeries(features[0]!, source, range);
      const script = bucketize(fetched, { bucketizers, range, intervalMs: query.intervalMs });
      const lists = await store.run(script, signal);
      if (lists.length !== bucketizers.length) throw garbled(store.client);
      const found = new Map(bucketizers.map((part, i) => [part, merge(store, { query, part }, lists[i])]));
      for (const { pushdown, columnOf } of group) place(pushdown, found, columnOf(NO_GROUP)!);
    }
  }
}

/** The values of all series, by interval. */
function merge(
  { client, readSeries }: Store,
  { query, part }: { readonly query: ReadQuery; readonly part: Part },
  list: unknown,
): Map<number, number> {
  const values = new Map<number, number>();
  for (const { points } of readSeries(list)) {
    for (const [micros, value] of points) {
      if (typeof value !== "number") throw garbled(client);
      const slot = findSlot(client, query, (micros + 1) / 1000 - query.intervalMs);
      const before = values.get(slot);
      values.set(slot, before === undefined ? value : parts[part](before, value));
    }
  }
  return values;
}

function place(
  { parts: [first, second], combine }: Pushdown,
  found: ReadonlyMap<Part, ReadonlyMap<number, number>>,
  column: Float64Array,
): void {
  for (const [slot, value] of found.get(first!)!)
    column[slot] = combine(value, (second && found.get(second)!.get(slot)) ?? Number.NaN);
}

/** The numbers of all series, window by window. */
function streamSamples(
  { store, source, signal }: Reader,
  feature: FeatureQuery,
  range: Range,
): AsyncGenerator<Samples> {
  const options = { range, limit: POINTS_PER_WINDOW, client: store.client };
  return streamWindows(options, async (window) => {
    const lists = await store.run(keepSeries(fetchSeries(feature, source, window)), signal);
    if (lists.length !== 1) throw garbled(store.client);
    return toSamples(store.readSeries(lists[0]).flatMap(numbersOf));
  });
}

function numbersOf({ labels, points }: Series): SeriesPoint[] {
  const name = seriesKeyOfTags(Object.entries(labels));
  return points.flatMap(([micros, value]) =>
    typeof value === "number" ? [[Math.floor(micros / 1000), value, name] as const] : [],
  );
}
