// Histories of the series of a fleet: in one grouped read where they fit into memory, else one by one or in batches.
import type { Feature } from "../../../core/model/feature.ts";
import { type SeriesTags, seriesKeyOf } from "../../../core/model/fleet.ts";
import { alignRange, ceilTo, countIntervals, type Grid, type Range } from "../../../core/series/grid.ts";
import type { GroupedGrid } from "../../../core/series/grouped-grid.ts";
import { findExtent } from "../../../models/stats/extent.ts";
import { emptyFeatures, type OpenBucket, readFeatureGroups, readFeatures } from "../../../points/features.ts";

/** Values of all series that are held at once: 32 MB. */
const MAX_VALUES = 4_000_000;
/** Intervals of the read that lists the series. */
const LISTED_INTERVALS = 16;

/** Source of a fleet's points. */
interface FleetSource {
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

/** Reads the history of one series. @throws TorusError `not_supported`, `not_found`, `bucket_*` */
export type ReadHistory = (tags: SeriesTags) => Promise<Grid>;

/** The histories of some series, to be read in their order: a batch that is left is read again. */
export type OpenHistories = (series: readonly SeriesTags[]) => ReadHistory;

interface HistoriesOptions {
  /** All series. */
  readonly series: readonly SeriesTags[];
  readonly signal: AbortSignal;
  /** Values that are held at once. */
  readonly maxValues?: number;
}

/** Opens the histories of the listed series; nothing is read yet. */
export function openHistories(
  open: OpenBucket,
  source: FleetSource,
  { series, signal, maxValues = MAX_VALUES }: HistoriesOptions,
): OpenHistories {
  const { features, range, intervalMs } = source;
  const valuesOfSeries = features.length * countIntervals(range, intervalMs);
  const readAll = () => readFeatureGroups(open, source, signal);
  if (series.length * valuesOfSeries <= maxValues) {
    const read = readInBatches(source, { series, size: series.length, readAll });
    return () => read;
  }
  // A query cannot be narrowed to one series.
  if (features.some(({ query }) => query)) {
    const size = Math.max(1, Math.floor(maxValues / valuesOfSeries));
    return (some) => readInBatches(source, { series: some, size, readAll });
  }
  return () => (tags) => readFeatures(open, { ...source, series: tags }, signal);
}

interface Batches {
  readonly series: readonly SeriesTags[];
  /** Series of a batch. */
  readonly size: number;
  readonly readAll: () => Promise<GroupedGrid>;
}

/** Each read answers all series, those of one batch are kept until another one is asked for. */
function readInBatches(source: FleetSource, { series, size, readAll }: Batches): ReadHistory {
  const keyOf = (tags: SeriesTags) => seriesKeyOf(source.groupBy, tags);
  const batchOf = new Map(series.map((tags, i) => [keyOf(tags), Math.floor(i / size)]));
  const load = async (batch: number, previous: Promise<unknown> | undefined) => {
    // One read at a time.
    await previous;
    const answer = await readAll();
    const entries = answer.series.map(({ tags, grid }) => [keyOf(tags), grid] as const);
    return new Map(entries.filter(([key]) => batchOf.get(key) === batch));
  };
  let current: { readonly batch: number; readonly grids: Promise<Map<string, Grid>> } | undefined;
  return async (tags) => {
    const key = keyOf(tags);
    const batch = batchOf.get(key);
    if (batch === undefined) return emptyFeatures(source);
    if (current?.batch !== batch) current = { batch, grids: load(batch, current?.grids) };
    return (await current.grids).get(key) ?? emptyFeatures(source);
  };
}
