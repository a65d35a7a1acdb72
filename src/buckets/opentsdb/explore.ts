// What an OpenTSDB says of itself: metrics as measurements with fields, and the tags of their series.
import type { Exploration, ExploreLimits } from "../kind.ts";
import { chooseNames, exploreSeries, type NamedSeries } from "../series.ts";
import type { Store } from "./store.ts";

/** Each is a request of its own. */
const LOOKUPS = 100;
/** Series of one metric whose tags are looked at. */
const SERIES_PER_LOOKUP = 1000;

/**
 * Lists metrics; tags are those that its meta table holds. First and last points would take a scan of all data.
 * Names stay known to OpenTSDB when their points are gone.
 */
export async function exploreServer(
  store: Store,
  options: { readonly limits: ExploreLimits; readonly measurement?: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const { names, truncated } = chooseNames(await store.listMetrics(signal), options);
  const series: NamedSeries[] = [];
  let cut = truncated || names.length > LOOKUPS;
  for (const [i, name] of names.entries()) {
    const found = i < LOOKUPS ? await store.lookUp(name, SERIES_PER_LOOKUP, signal) : [];
    cut ||= found.length >= SERIES_PER_LOOKUP;
    series.push({ name, tags: {} }, ...found.map((tags) => ({ name, tags })));
  }
  const explored = exploreSeries(series, options);
  return { ...explored, truncated: cut || explored.truncated };
}
