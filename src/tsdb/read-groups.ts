// Grouped reads: the series of a bucket by the values of some tags, group after group, each as `readGrid` reads it.
import { type Columns, groupBySource, toGrid } from "../core/series/columns.ts";
import {
  compareGroups,
  type GroupedGrid,
  groupValuesOf,
  type SeriesGrid,
} from "../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../core/series/query.ts";
import { findFieldGroups } from "./catalog.ts";
import { type RetainedQuery, readSource, setEmpty, startRead } from "./read.ts";
import type { FileSnapshot } from "./scan.ts";

/** Groups between two calls of the yielder. */
const GROUPS_PER_YIELD = 32;

/** Features that share their points, and the fields of each group. */
interface Source {
  readonly features: readonly FeatureQuery[];
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

/**
 * Reads groups in the order of their values, in one snapshot of the file, and ends at the first one beyond
 * `maxSeries`. Groups without points in the range cost a look into the index.
 * @param file undefined where it does not exist yet
 */
export async function readGroups(
  file: FileSnapshot | undefined,
  { query, sinceAt }: RetainedQuery & { readonly query: GroupedQuery },
  signal: AbortSignal,
): Promise<GroupedGrid> {
  const series: SeriesGrid[] = [];
  if (!file) return { series, truncated: false };
  const read = startRead(file, { query, sinceAt }, signal);
  const sources: Source[] = groupBySource(query.features).map((features) => ({
    features,
    groups: findFieldGroups(file.db, features[0]!, query.groupBy),
  }));
  let steps = 0;
  for (const [key, values] of sortGroups(sources)) {
    if (++steps % GROUPS_PER_YIELD === 0) await read.yieldNow();
    const columns: Columns = new Map();
    let isFound = false;
    for (const { features, groups } of sources) {
      const fieldIds = groups.get(key);
      if (!fieldIds) setEmpty(columns, query, features);
      else if (await readSource(read, { features, fieldIds }, columns)) isFound = true;
    }
    if (!isFound) continue;
    if (series.length >= query.maxSeries) return { series, truncated: true };
    const tags = Object.fromEntries(query.groupBy.map((tag, i) => [tag, values[i]!]));
    series.push({ tags, grid: toGrid(query, columns) });
  }
  return { series, truncated: false };
}

/** The groups of all sources, in the order of their values. */
function sortGroups(sources: readonly Source[]): [key: string, values: string[]][] {
  const keys = new Set(sources.flatMap(({ groups }) => [...groups.keys()]));
  return [...keys]
    .map((key): [string, string[]] => [key, groupValuesOf(key)])
    .sort(([, a], [, b]) => compareGroups(a, b));
}
