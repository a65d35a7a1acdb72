// Grid reads from OpenTSDB: downsampled series, combined without interpolation, in slices of the range.
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
import { streamWindows, toSamples } from "../shared/windows.ts";
import { nameMetric, requireName } from "./name.ts";
import type { Store, SubQuery } from "./store.ts";

const INTERVALS_PER_QUERY = 10_000;
const POINTS_PER_WINDOW = 100_000;

/** The aggregator over series per downsampler; these aggregators do not interpolate. */
const aggregators = { count: "zimsum", sum: "zimsum", min: "mimmin", max: "mimmax" } as const;
type Part = keyof typeof aggregators;

/** What the aggregators do, for series that are combined here. */
const combiners = {
  count: (a: number, b: number) => a + b,
  sum: (a: number, b: number) => a + b,
  min: Math.min,
  max: Math.max,
} as const;

interface Pushdown {
  readonly parts: readonly Part[];
  /** The value by its parts, in order. */
  combine(first: number, second: number): number;
}

const plain = (part: Part): Pushdown => ({ parts: [part], combine: (value) => value });

/** By canonical name of the metric. Its deviations are divided by n, its percentiles estimates. */
const pushdowns: ReadonlyMap<string, Pushdown> = new Map([
  ["count", plain("count")],
  ["sum", plain("sum")],
  ["min", plain("min")],
  ["max", plain("max")],
  ["avg", { parts: ["sum", "count"], combine: (sum, count) => sum / count }],
  ["spread", { parts: ["max", "min"], combine: (max, min) => max - min }],
]);

/** Reads the grid. @throws TorusError `invalid` for a name that OpenTSDB cannot hold */
export async function readGrid(store: Store, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  return readThrough(openSource(store, signal), query, signal);
}

/** Reads a grid per group. @throws as `readGrid` */
export async function readGroups(
  store: Store,
  query: GroupedQuery,
  signal: AbortSignal,
): Promise<GroupedGrid> {
  return readGroupsThrough(openSource(store, signal), query, signal);
}

function openSource(store: Store, signal: AbortSignal): GridSource<Pushdown> {
  return {
    findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
    readPushed: (query, pushed) => readPushed(store, { query, pushed }, signal),
    streamSamples: (raw) => streamSamples(store, raw, signal),
  };
}

/**
 * By group, series are combined here: OpenTSDB would leave out those that lack one of the tags.
 */
async function readPushed(
  store: Store,
  { query, pushed }: { readonly query: GroupedQuery; readonly pushed: readonly Pushed<Pushdown>[] },
  signal: AbortSignal,
): Promise<void> {
  const isGrouped = query.groupBy.length > 0;
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    const group = features.map(({ name }) => byName.get(name)!);
    const parts = [...new Set(group.flatMap(({ pushdown }) => pushdown.parts))];
    const queries = parts.map((part) => ({
      ...select(features[0]!, isGrouped ? "none" : aggregators[part]),
      downsample: `${writeInterval(query.intervalMs)}-${part}-nan`,
    }));
    const perSlice = intervalsPerAnswer(query, INTERVALS_PER_QUERY, parts.length);
    for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
      const found: Found = new Map();
      for (const { index, tags, points } of await store.query(queries, range, signal)) {
        const key = groupKeyOfTags(query.groupBy, tags);
        const add = startAdding(found, key, parts[index]!);
        for (const [at, value] of points)
          if (at >= range.fromAt && at < range.toAt) add(findSlot(store.client, query, at), value);
      }
      for (const [key, values] of found)
        for (const { pushdown, columnOf } of group) place(pushdown, values, columnOf(key));
    }
  }
}

/** Values by group, part and interval. */
type Found = Map<string, Map<Part, Map<number, number>>>;

/** The server fills intervals without points with NaN, which makes no group. */
function startAdding(found: Found, key: string, part: Part): (slot: number, value: number) => void {
  const combine = combiners[part];
  let values: Map<number, number> | undefined;
  return (slot, value) => {
    if (Number.isNaN(value)) return;
    if (!values) {
      const ofGroup = found.get(key) ?? new Map<Part, Map<number, number>>();
      found.set(key, ofGroup);
      values = ofGroup.get(part) ?? new Map<number, number>();
      ofGroup.set(part, values);
    }
    const before = values.get(slot);
    values.set(slot, before === undefined ? value : combine(before, value));
  };
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
  { feature, range, groupBy }: RawQuery,
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
        const group = groupBy.length > 0 ? groupKeyOfTags(groupBy, tags) : undefined;
        return points.filter(isWithin).map(([at, value]) => [at, value, name, group] as const);
      }),
    );
  });
}
