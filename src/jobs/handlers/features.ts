// Reads the features of a model from their buckets into one grid.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import type { Feature } from "../../core/model/feature.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { cannotGroup, type GroupedGrid, mergeGroupedGrids } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import { formatDate } from "../../core/time/time.ts";
import { requireMetric } from "../../metrics/index.ts";

/** Opens a configured bucket by name. @throws TorusError `not_found` */
export type OpenBucket = (name: string) => Promise<Bucket>;

interface FeatureRead {
  readonly features: readonly Feature[];
  /** Default bucket of the features. */
  readonly bucket: string;
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
}

/** One column per feature. @throws TorusError `not_found`, `bucket_*` */
export async function readFeatures(open: OpenBucket, read: FeatureRead, signal: AbortSignal): Promise<Grid> {
  const { range, intervalMs } = read;
  const byBucket = Map.groupBy(read.features, (feature) => feature.bucket || read.bucket);
  const grids = await Promise.all(
    [...byBucket].map(async ([name, features]) => {
      const bucket = await open(name);
      return bucket.read({ range, intervalMs, features: features.map(toQuery) }, signal);
    }),
  );
  return { ...grids[0]!, columns: Object.assign({}, ...grids.map((grid) => grid.columns)) };
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
