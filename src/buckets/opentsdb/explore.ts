// Exploring OpenTSDB: metrics as measurements with fields, tags of their series.
import type { Exploration, ExploreOptions } from "../kind.ts";
import { chooseNames, exploreSeries, type NamedSeries } from "../shared/series.ts";
import type { Store } from "./store.ts";

/** Metrics described; each costs a request. */
const LOOKUPS = 100;
/** Metrics searched for the values of one tag. */
const TAG_LOOKUPS = 1000;
/** Series of one metric that are searched for tags. */
const SERIES_PER_LOOKUP = 1000;
const SERIES_PER_TAG_LOOKUP = 100_000;

/**
 * Lists metrics; tags are those that its meta table holds. First and last points would take a scan of all data.
 * OpenTSDB lists names whose points are deleted, too. It suggests by prefix only, so patterns are matched here.
 */
export async function exploreServer(
  store: Store,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const { tag, search: _, skip: __, ...scope } = options;
  const wanted =
    tag === undefined ? options : { ...scope, skip: 0, limits: { ...scope.limits, names: TAG_LOOKUPS } };
  const { chosen, truncated } = chooseNames(await store.listMetrics(signal), wanted);
  const limit = tag === undefined ? SERIES_PER_LOOKUP : SERIES_PER_TAG_LOOKUP;
  const lookups = tag === undefined ? LOOKUPS : TAG_LOOKUPS;
  const series: NamedSeries[] = [];
  let isCut = truncated || chosen.length > lookups;
  for (const [i, name] of chosen.entries()) {
    const found = i < lookups ? await store.lookUp(name, limit, signal) : [];
    isCut ||= found.length >= limit;
    series.push({ name, tags: {} }, ...found.map((tags) => ({ name, tags })));
  }
  // The page is cut already, so the rest is described without `skip`.
  const { skip, ...rest } = options;
  const explored = exploreSeries(
    series,
    tag === undefined && skip !== undefined ? { ...rest, skip: 0 } : options,
  );
  return { ...explored, truncated: isCut || explored.truncated };
}
