// Reads the features of a model from their buckets into one grid.
import type { Bucket } from "../buckets/kind.ts";
import { TorusError } from "../core/errors.ts";
import { type Feature, isPlain } from "../core/model/feature.ts";
import { MAX_SERIES, type SeriesTags } from "../core/model/fleet.ts";
import { emptyGrid, type Grid, type Range } from "../core/series/grid.ts";
import {
  cannotGroup,
  type GroupedGrid,
  groupKeyOfTags,
  mergeGroupedGrids,
} from "../core/series/grouped-grid.ts";
import { statedUnit } from "../core/series/metric-metadata.ts";
import type { FeatureQuery } from "../core/series/query.ts";
import { formatDate } from "../core/time/time.ts";
import { requireMetric } from "../metrics/index.ts";
import type { StatedUnits } from "../metrics/units.ts";

/** Opens a configured bucket by name. @throws TorusError `not_found` */
export type OpenBucket = (name: string) => Promise<Bucket>;

interface FeatureRead {
  readonly features: readonly Feature[];
  /** Default bucket of the features. */
  readonly bucket: string;
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
  /** Of a fleet: the series to read, a value per tag of `group_by`. Absent: all points are one series. */
  readonly series?: SeriesTags | undefined;
}

/**
 * One column per feature.
 * @throws TorusError `not_found`, `bucket_*`; with `series`, `not_supported` where a bucket cannot read by group
 */
export async function readFeatures(open: OpenBucket, read: FeatureRead, signal: AbortSignal): Promise<Grid> {
  const { range, intervalMs, series } = read;
  if (series) return readSeries(open, { ...read, series }, signal);
  const byBucket = Map.groupBy(read.features, (feature) => feature.bucket || read.bucket);
  const grids = await Promise.all(
    [...byBucket].map(async ([name, features]) => {
      const bucket = await open(name);
      return bucket.read({ range, intervalMs, features: features.map(toQuery) }, signal);
    }),
  );
  return { ...grids[0]!, columns: Object.assign({}, ...grids.map((grid) => grid.columns)) };
}

/** Units of the points by feature, where their buckets know them. @throws TorusError `not_found`, `bucket_*` */
export async function readUnits(
  open: OpenBucket,
  { features, bucket: byDefault }: Pick<FeatureRead, "features" | "bucket">,
  signal: AbortSignal,
): Promise<StatedUnits> {
  const units: [string, string][] = [];
  for (const [name, some] of Map.groupBy(features.filter(isPlain), ({ bucket }) => bucket || byDefault)) {
    const bucket = await open(name);
    const known = new Map((await bucket.listMetadata?.(signal))?.map((metric) => [metric.name, metric.unit]));
    for (const feature of some) {
      const unit = statedUnit(feature.field, (metric) => known.get(metric));
      if (unit !== undefined) units.push([feature.name, unit]);
    }
  }
  return Object.fromEntries(units);
}

/**
 * One series of a fleet. By group, since equality alone finds neither points that lack a tag nor the series of a query.
 */
async function readSeries(
  open: OpenBucket,
  { series, features, ...rest }: FeatureRead & { readonly series: SeriesTags },
  signal: AbortSignal,
): Promise<Grid> {
  const groupBy = Object.keys(series);
  const read = { ...rest, features: features.map((feature) => narrow(feature, series)), groupBy };
  const hasQuery = features.some(({ query }) => query);
  const isWhole = !hasQuery && Object.values(series).every((value) => value !== "");
  const answer = await readFeatureGroups(open, { ...read, maxSeries: isWhole ? 1 : MAX_SERIES }, signal);
  const key = groupKeyOfTags(groupBy, series);
  const found = answer.series.find(({ tags }) => groupKeyOfTags(groupBy, tags) === key);
  return found?.grid ?? emptyFeatures(read);
}

/** The feature of the points with the tags of a series; empty values stay open. */
function narrow(feature: Feature, series: SeriesTags): Feature {
  if (feature.query) return feature;
  const known = feature.match_all ?? [];
  const added = Object.entries(series)
    .filter(([name, value]) => value !== "" && !known.some(({ tag }) => tag === name))
    .map(([tag, value]) => ({ tag, value }));
  return { ...feature, match_all: [...known, ...added] };
}

/** A range without points: what each metric makes of an empty interval. */
export function emptyFeatures({
  features,
  range,
  intervalMs,
}: Pick<FeatureRead, "features" | "range" | "intervalMs">): Grid {
  const grid = emptyGrid(
    range,
    intervalMs,
    features.map(({ name }) => name),
  );
  for (const { name, metric = "", query } of features)
    if (!query) grid.columns[name]!.fill(requireMetric(metric).empty);
  return grid;
}

/** Tags whose values distinguish the series of a model. */
export interface GroupedFeatureRead extends FeatureRead {
  readonly groupBy: readonly string[];
  readonly maxSeries: number;
}

/**
 * One grid per series, with a column per feature; a feature of another bucket joins by the values of the tags.
 * @throws TorusError `not_supported` where a bucket cannot read by group, `not_found`, `bucket_*`
 */
export async function readFeatureGroups(
  open: OpenBucket,
  read: GroupedFeatureRead,
  signal: AbortSignal,
): Promise<GroupedGrid> {
  const { features, bucket: byDefault, ...rest } = read;
  const byBucket = [...Map.groupBy(features, (feature) => feature.bucket || byDefault)];
  const parts = await Promise.all(
    byBucket.map(async ([name, some]) => {
      const bucket = await open(name);
      if (!bucket.readGrouped) throw cannotGroup(name);
      return bucket.readGrouped({ ...rest, features: some.map(toQuery) }, signal);
    }),
  );
  if (parts.length === 1) return parts[0]!;
  return mergeGroupedGrids(
    { ...rest, features: features.map(toQuery) },
    parts,
    (metric) => requireMetric(metric).empty,
  );
}

/** Metric and field are unused if the feature has a query. */
function toQuery({ name, metric = "", field = "", measurement, match_all, query }: Feature): FeatureQuery {
  const tags = (match_all ?? []).map(({ tag, value }) => ({ tag, value: String(value) }));
  return { name, metric, field, tags, ...(measurement && { measurement }), ...(query && { query }) };
}

export const SOURCE_ADVICE = ": check the bucket, the field, the measurement and the dates";

/** The error for a range without points. @param advice rest of the message, with its punctuation */
export function noData({ fromAt, toAt }: Range, advice: string): TorusError {
  const range = `${formatDate(fromAt)} to ${formatDate(toAt)}`;
  return new TorusError("no_data", `no data found for time range ${range}${advice}`, { found: 0 });
}
