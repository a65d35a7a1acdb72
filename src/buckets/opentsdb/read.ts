// Grid reads from OpenTSDB: downsampled series, combined without interpolation, in slices of the range.
import { sliceRange } from "../../core/series/columns.ts";
import { groupKeyOfTags } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { findParts, listParts, type PartPushdown, PartValues } from "../shared/parts.ts";
import {
  findSlot,
  type GridSource,
  groupPushed,
  intervalsPerAnswer,
  type Pushed,
  type RawQuery,
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

/** Opens a read. @throws TorusError `invalid` for a name that OpenTSDB cannot hold */
export function openSource(store: Store, signal: AbortSignal): GridSource<PartPushdown> {
  return {
    // The deviations of OpenTSDB are divided by n, its percentiles estimates.
    findPushdown: findParts,
    readPushed: (query, pushed) => readPushed(store, { query, pushed }, signal),
    streamSamples: (raw) => streamSamples(store, raw, signal),
  };
}

/**
 * By group, series are combined here: OpenTSDB would leave out those that lack one of the tags.
 */
async function readPushed(
  store: Store,
  { query, pushed }: { readonly query: GroupedQuery; readonly pushed: readonly Pushed<PartPushdown>[] },
  signal: AbortSignal,
): Promise<void> {
  const isGrouped = query.groupBy.length > 0;
  for (const group of groupPushed(pushed)) {
    const parts = listParts(group);
    const queries = parts.map((part) => ({
      ...select(group[0]!.feature, isGrouped ? "none" : aggregators[part]),
      downsample: `${writeInterval(query.intervalMs)}-${part}-nan`,
    }));
    const perSlice = intervalsPerAnswer(query, INTERVALS_PER_QUERY, parts.length);
    for (const range of sliceRange(query.range, perSlice * query.intervalMs)) {
      const found = new PartValues();
      for (const { index, tags, points } of await store.query(queries, range, signal)) {
        const add = found.addTo(groupKeyOfTags(query.groupBy, tags), parts[index]!);
        for (const [at, value] of points) {
          if (at < range.fromAt || at >= range.toAt) continue;
          const slot = findSlot(store.client, query, at);
          // The server fills intervals without points with NaN.
          if (!Number.isNaN(value)) add(slot, value);
        }
      }
      found.place(group);
    }
  }
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
