// Histories of the series of a fleet: in one grouped read where they fit into memory, else one read per series.
import type { Feature } from "../../../core/model/feature.ts";
import { type SeriesTags, seriesKeyOf } from "../../../core/model/fleet.ts";
import { alignRange, ceilTo, countIntervals, type Grid, type Range } from "../../../core/series/grid.ts";
import { findExtent } from "../../../models/stats/extent.ts";
import { emptyFeatures, type OpenBucket, readFeatureGroups, readFeatures } from "../features.ts";

/** Values of all series that are held at once: 32 MB. */
const MAX_VALUES = 4_000_000;
/** Intervals of the read that lists the series. */
const LISTED_INTERVALS = 16;

/** Source of a fleet's points. */
export interface FleetSource {
  readonly features: readonly Feature[];
  /** Default bucket of the features. */
  readonly bucket: string;
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
  readonly groupBy: readonly string[];
  readonly maxSeries: number;
}

interface ListedSeries {
  readonly series: readonly SeriesTags[];
  /** There are more than `maxSeries`. */
  readonly truncated: boolean;
  /** The part of the range that holds their points, with a margin; aligned. */
  readonly range: Range;
}

/**
 * The series with points in the range, by the values of their tags.
 * @throws TorusError `not_supported`, `not_found`, `bucket_*`
 */
export async function listSeries(
  open: OpenBucket,
  source: FleetSource,
  signal: AbortSignal,
): Promise<ListedSeries> {
  let { range } = source;
  for (;;) {
    const { series, truncated } = await readFeatureGroups(open, coarsen({ ...source, range }), signal);
    const occupied = occupiedRange(series, { ...source, range });
    // Each further read halves the range at least.
    if (lengthOf(occupied) > lengthOf(range) / 2)
      return { series: series.map(({ tags }) => tags), truncated, range: occupied };
    range = occupied;
  }
}

function coarsen(source: FleetSource): FleetSource {
  const intervalMs = ceilTo(lengthOf(source.range) / LISTED_INTERVALS, source.intervalMs);
  return { ...source, range: alignRange(source.range, intervalMs), intervalMs };
}

/** The intervals of a coarse read in which any series has points; all where none has. */
function occupiedRange(
  series: readonly { readonly grid: Grid }[],
  { range, features }: Pick<FleetSource, "range" | "features">,
): Range {
  let [fromAt, toAt] = [range.toAt, range.fromAt];
  for (const { grid } of series) {
    const extent = findExtent(grid, features);
    if (!extent) continue;
    fromAt = Math.min(fromAt, Math.max(range.fromAt, grid.startAt + extent.from * grid.intervalMs));
    toAt = Math.max(toAt, Math.min(range.toAt, grid.startAt + extent.to * grid.intervalMs));
  }
  return fromAt < toAt ? { fromAt, toAt } : range;
}

const lengthOf = ({ fromAt, toAt }: Range): number => toAt - fromAt;

/** Reads the history of one series. @throws TorusError `not_found`, `bucket_*` */
export type ReadHistory = (tags: SeriesTags) => Promise<Grid>;

/** Opens the histories of the listed series. @throws TorusError `not_supported`, `not_found`, `bucket_*` */
export async function openHistories(
  open: OpenBucket,
  source: FleetSource,
  { series, signal }: { readonly series: readonly SeriesTags[]; readonly signal: AbortSignal },
): Promise<ReadHistory> {
  const { features, range, intervalMs, groupBy } = source;
  const values = series.length * features.length * countIntervals(range, intervalMs);
  if (values > MAX_VALUES) return (tags) => readFeatures(open, { ...source, series: tags }, signal);
  const answer = await readFeatureGroups(open, source, signal);
  const grids = new Map(answer.series.map(({ tags, grid }) => [seriesKeyOf(groupBy, tags), grid]));
  return async (tags) => grids.get(seriesKeyOf(groupBy, tags)) ?? emptyFeatures(source);
}
