// Exploring Warp 10: classes as measurements with fields, their labels, the newest point of each.
import type { Exploration, ExploreOptions } from "../kind.ts";
import { exploreSeries, type NamedSeries } from "../shared/series.ts";
import { fetchNewest, keepSeries, type Source } from "./script.ts";
import { garbled, type Store } from "./store.ts";

/** Lists classes under the prefix, without the first point of a series, which would need all its points. */
export async function exploreServer(
  { store, source }: { readonly store: Store; readonly source: Source },
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const lists = await store.run(keepSeries(fetchNewest(source)), signal);
  if (lists.length !== 1) throw garbled(store.client);
  const skip = source.prefix ? source.prefix.length + 1 : 0;
  const series = store.readNames(lists[0]).map(
    ({ name, labels, lastMicros }): NamedSeries => ({
      name: name.slice(skip),
      // Labels that begin with a dot are internal: owner, producer, application.
      tags: Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith("."))),
      ...(lastMicros !== undefined && { lastAt: Math.floor(lastMicros / 1000) }),
    }),
  );
  return exploreSeries(series, options);
}
