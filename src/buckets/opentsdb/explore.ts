// What an OpenTSDB says of itself: metrics as measurements with fields, and the tags of their series.
import type { Exploration, ExploreOptions } from "../kind.ts";
import { chooseNames, exploreSeries, type NamedSeries } from "../shared/series.ts";
import type { Store } from "./store.ts";

/** Each is a request of its own. */
const LOOKUPS = 100;
/** The same where the values of one tag are asked for, so that all of them can be reached. */
const TAG_LOOKUPS = 1000;
/** Series of one metric whose tags are looked at. */
const SERIES_PER_LOOKUP = 1000;
const SERIES_PER_TAG_LOOKUP = 100_000;

/**
 * Lists metrics; tags are those that its meta table holds. First and last points would take a scan of all data.
 * Names stay known to OpenTSDB when their points are gone. Its suggestions go by the start of a name: patterns are
 * matched here.
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
  // The page has been taken: what is left is described whole.
  const { skip, ...rest } = options;
  const explored = exploreSeries(
    series,
    tag === undefined && skip !== undefined ? { ...rest, skip: 0 } : options,
  );
  return { ...explored, truncated: isCut || explored.truncated };
}
