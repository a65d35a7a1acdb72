// Histories of the series of a fleet: in one grouped read where they fit into memory, else one read per series.
import type { Feature } from "../../../core/model/feature.ts";
import { type SeriesTags, seriesKeyOf } from "../../../core/model/fleet.ts";
import { alignRange, ceilTo, countIntervals, type Grid, type Range } from "../../../core/series/grid.ts";
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
  const { range } = source;
  const intervalMs = ceilTo((range.toAt - range.fromAt) / LISTED_INTERVALS, source.intervalMs);
  const coarse = { ...source, range: alignRange(range, intervalMs), intervalMs };
  const { series, truncated } = await readFeatureGroups(open, coarse, signal);
  return { series: series.map(({ tags }) => tags), truncated };
}

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
