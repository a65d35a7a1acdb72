// Reads the features of a model from their buckets into one grid.
import type { Bucket } from "../buckets/kind.ts";
import { type Budget, objectiveOf } from "../core/budget/budget.ts";
import { burnRates, type Counts, countsOf } from "../core/budget/burn.ts";
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
import { fillDefault } from "../models/series.ts";

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
 * One column per feature; those of a budget are burn rates, whose parts must be among the features, see `withParts`.
 * @throws TorusError `not_found`, `bucket_*`; with `series`, `not_supported` where a bucket cannot read by group
 */
export async function readFeatures(open: OpenBucket, read: FeatureRead, signal: AbortSignal): Promise<Grid> {
  const { range, intervalMs, series } = read;
  if (series) return readSeries(open, { ...read, series }, signal);
  const byBucket = Map.groupBy(ownFeatures(read.features), (feature) => feature.bucket || read.bucket);
  const grids = await Promise.all(
    [...byBucket].map(async ([name, features]) => {
      const bucket = await open(name);
      return bucket.read({ range, intervalMs, features: features.map(toQuery) }, signal);
    }),
  );
  const grid = { ...grids[0]!, columns: Object.assign({}, ...grids.map(({ columns }) => columns)) };
  return withBurnRates(grid, read.features);
}

/** Features with values of their own, which buckets are asked for. */
function ownFeatures(features: readonly Feature[]): readonly Feature[] {
  return features.filter(({ budget }) => !budget);
}

function withBurnRates(grid: Grid, features: readonly Feature[]): Grid {
  if (!features.some(({ budget }) => budget)) return grid;
  // In the order of the features, as if all were read.
  const columns = features.map((feature) => [
    feature.name,
    feature.budget
      ? burnRates(readCounts(grid, features, feature.budget), objectiveOf(feature.budget).objective)
      : grid.columns[feature.name]!,
  ]);
  return { ...grid, columns: Object.fromEntries(columns) };
}

/** What failed and of how much, of a grid with the parts of a budget; their empty intervals are their `default`. */
export function readCounts(grid: Grid, features: readonly Feature[], { total, good, bad }: Budget): Counts {
  const column = (name: string) =>
    fillDefault(grid.columns[name]!, features.find((feature) => feature.name === name)?.default);
  return countsOf({
    total: column(total),
    ...(good !== undefined ? { good: column(good) } : { bad: column(bad!) }),
  });
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
  if (feature.query || feature.budget) return feature;
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
  for (const { name, metric = "", query, budget } of features)
    if (!query && !budget) grid.columns[name]!.fill(requireMetric(metric).empty);
  return grid;
}

/** Tags whose values distinguish the series of a model. */
interface GroupedFeatureRead extends FeatureRead {
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
  const { features: all, bucket: byDefault, ...rest } = read;
  const features = ownFeatures(all);
  const byBucket = [...Map.groupBy(features, (feature) => feature.bucket || byDefault)];
  const parts = await Promise.all(
    byBucket.map(async ([name, some]) => {
      const bucket = await open(name);
      if (!bucket.readGrouped) throw cannotGroup(name);
      return bucket.readGrouped({ ...rest, features: some.map(toQuery) }, signal);
    }),
  );
  const merged =
    parts.length === 1
      ? parts[0]!
      : mergeGroupedGrids(
          { ...rest, features: features.map(toQuery) },
          parts,
          (metric) => requireMetric(metric).empty,
        );
  const series = merged.series.map((one) => ({ ...one, grid: withBurnRates(one.grid, all) }));
  return { ...merged, series };
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
