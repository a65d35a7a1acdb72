// Points of a model whichever series they are of: a query that answers by series is read by group, and merged.
import { fleetRulesOf } from "../../core/model/fleet.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { emptyFeatures, type OpenBucket, readFeatureGroups, readFeatures } from "../../points/features.ts";

interface AnySeriesRead {
  readonly settings: ModelSettings;
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
}

/** Whether the points of all series come one by one: such reads are to be short. */
export function readsBySeries({ group_by, features }: ModelSettings): boolean {
  return group_by !== undefined && features.some(({ query }) => query);
}

/**
 * One column per feature; of a fleet with queries, an interval holds the highest value of any series.
 * @throws TorusError `not_found`, `not_supported`, `bucket_*`
 */
export async function readAnySeries(
  open: OpenBucket,
  { settings, range, intervalMs }: AnySeriesRead,
  signal: AbortSignal,
): Promise<Grid> {
  const read = { features: settings.features, bucket: bucketOf(settings) ?? "", range, intervalMs };
  const rules = fleetRulesOf(settings);
  if (!rules || !readsBySeries(settings)) return readFeatures(open, read, signal);
  const { groupBy, maxSeries } = rules;
  const { series } = await readFeatureGroups(open, { ...read, groupBy, maxSeries }, signal);
  const merged = emptyFeatures(read);
  for (const { grid } of series)
    for (const [name, column] of Object.entries(merged.columns)) {
      const own = grid.columns[name]!;
      for (let i = 0; i < column.length; i++)
        if (Number.isNaN(column[i]) || own[i]! > column[i]!) column[i] = own[i]!;
    }
  return merged;
}
