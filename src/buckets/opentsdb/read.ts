// Grid reads from OpenTSDB: downsampled series, combined without interpolation, in slices of the range.
import { groupBySource, sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { seriesKeyOfTags } from "../shared/series-by.ts";
import { streamWindows, toSamples } from "../shared/windows.ts";
import { nameMetric, requireName } from "./name.ts";
import type { Store, SubQuery } from "./store.ts";

const INTERVALS_PER_QUERY = 10_000;
const POINTS_PER_WINDOW = 100_000;

/** The aggregator over series per downsampler; these aggregators do not interpolate. */
const aggregators = { count: "zimsum", sum: "zimsum", min: "mimmin", max: "mimmax" } as const;
type Part = keyof typeof aggregators;

interface Pushdown {
  readonly parts: readonly Part[];
  /** The value by its parts, in order. */
  combine(first: number, second: number): number;
}

const plain = (part: Part): Pushdown => ({ parts: [part], combine: (value) => value });

/** By canonical name of the metric. Its deviations are divided by n, its percentiles estimates. */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map([
  ["count", { parts: ["count"], combine: (count) => (Number.isNaN(count) ? 0 : count) }],
  ["sum", plain("sum")],
  ["min", plain("min")],
  ["max", plain("max")],
  ["avg", { parts: ["sum", "count"], combine: (sum, count) => sum / count }],
  ["spread", { parts: ["max", "min"], combine: (max, min) => max - min }],
]);

/** Reads the grid. @throws TorusError `invalid` for a name that OpenTSDB cannot hold */
export async function readGrid(store: Store, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  return readThrough(
    {
      findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
      readPushed: (whole, pushed) => readPushed(store, { query: whole, pushed }, signal),
      streamSamples: ({ feature, range }) => streamSamples(store, { feature, range }, signal),
    },
    query,
    signal,
  );
}

async function readPushed(
  store: Store,
  { query, pushed }: { readonly query: ReadQuery; readonly pushed: readonly Pushed<Pushdown>[] },
  signal: AbortSignal,
): Promise<void> {
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    const group = features.map(({ name }) => byName.get(name)!);
    const parts = [...new Set(group.flatMap(({ pushdown }) => pushdown.parts))];
    const downsample = (part: Part) => `${writeInterval(query.intervalMs)}-${part}-nan`;
    const queries = parts.map((part) => ({
      ...select(features[0]!, aggregators[part]),
      downsample: downsample(part),
    }));
    for (const range of sliceRange(query.range, INTERVALS_PER_QUERY * query.intervalMs)) {
      const found = new Map(parts.map((part) => [part, new Map<number, number>()]));
      for (const { index, points } of await store.query(queries, range, signal)) {
        const values = found.get(parts[index]!)!;
        for (const [at, value] of points)
          if (at >= range.fromAt && at < range.toAt) values.set(findSlot(store.client, query, at), value);
      }
      for (const { pushdown, columnOf } of group) place(pushdown, found, columnOf(NO_GROUP)!);
    }
  }
}

function place(
  { parts, combine }: Pushdown,
  found: ReadonlyMap<Part, ReadonlyMap<number, number>>,
  column: Float64Array,
): void {
  const [first, second] = parts.map((part) => found.get(part)!);
  for (const [slot, value] of first!) column[slot] = combine(value, second?.get(slot) ?? Number.NaN);
}

/** In seconds where exact: every version supports that unit. */
function writeInterval(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

function select({ field, measurement, tags }: FeatureQuery, aggregator: string): SubQuery {
  return {
    metric: nameMetric(field, measurement),
    aggregator,
    filters: tags.map(({ tag, value }) => ({
      type: "literal_or",
      tagk: requireName(tag),
      filter: requireName(value),
      groupBy: false,
    })),
  };
}

/** The points of all series, window by window; points that the server adds around a range are dropped. */
function streamSamples(
  store: Store,
  { feature, range }: { readonly feature: FeatureQuery; readonly range: Range },
  signal: AbortSignal,
): AsyncGenerator<Samples> {
  const options = { range, limit: POINTS_PER_WINDOW, client: store.client };
  return streamWindows(options, async (window) => {
    const series = await store.query([select(feature, "none")], window, signal);
    const isWithin = ([at, value]: readonly [number, number]) =>
      at >= window.fromAt && at < window.toAt && Number.isFinite(value);
    return toSamples(
      series.flatMap(({ tags, points }) => {
        const name = seriesKeyOfTags(Object.entries(tags));
        return points.filter(isWithin).map(([at, value]) => [at, value, name] as const);
      }),
    );
  });
}
