// Grid reads from Warp 10: series are bucketized there and combined here.
import { sliceRange } from "../../core/series/columns.ts";
import { groupKeyOfTags } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { findParts, listParts, type Part, type PartPushdown, PartValues } from "../shared/parts.ts";
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
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import { bucketize, fetchSeries, keepSeries, type Source } from "./script.ts";
import { garbled, type Series, type Store } from "./store.ts";

/** Buckets per series. */
const INTERVALS_PER_SCRIPT = 2000;
const POINTS_PER_WINDOW = 100_000;

interface Reader {
  readonly store: Store;
  readonly source: Source;
  readonly signal: AbortSignal;
}

/** Opens a read. */
export function openSource(reader: Reader): GridSource<PartPushdown> {
  return {
    findPushdown: findParts,
    readPushed: (query, pushed) => readPushed(reader, query, pushed),
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

async function readPushed(
  { store, source, signal }: Reader,
  query: GroupedQuery,
  pushed: readonly Pushed<PartPushdown>[],
): Promise<void> {
  for (const group of groupPushed(pushed)) {
    const { feature } = group[0]!;
    if (!canMatch(feature)) continue;
    const bucketizers = listParts(group);
    const perScript = intervalsPerAnswer(query, INTERVALS_PER_SCRIPT, bucketizers.length);
    for (const range of sliceRange(query.range, perScript * query.intervalMs)) {
      const fetched = fetchSeries(feature, source, range);
      const script = bucketize(fetched, { bucketizers, range, intervalMs: query.intervalMs });
      const lists = await store.run(script, signal);
      if (lists.length !== bucketizers.length) throw garbled(store.client);
      const found = new PartValues();
      for (const [i, part] of bucketizers.entries()) merge(store, { query, part, list: lists[i] }, found);
      found.place(group);
    }
  }
}

/** False where a label would need two values: in a script, the last one would count. */
function canMatch({ tags }: FeatureQuery): boolean {
  const values = new Map(tags.map(({ tag, value }) => [tag, value]));
  return tags.every(({ tag, value }) => values.get(tag) === value);
}

/** Adds the values of all series. */
function merge(
  store: Store,
  { query, part, list }: { readonly query: GroupedQuery; readonly part: Part; readonly list: unknown },
  found: PartValues,
): void {
  for (const { labels, points } of store.readSeries(list)) {
    const add = found.addTo(groupKeyOfTags(query.groupBy, labels), part);
    for (const [micros, value] of points) {
      if (typeof value !== "number") throw garbled(store.client);
      add(findSlot(store.client, query, (micros + 1) / 1000 - query.intervalMs), value);
    }
  }
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
