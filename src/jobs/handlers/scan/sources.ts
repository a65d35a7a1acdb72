// Sources of a scan: the fields of a bucket with the tags of their series, and their values by series.
import type { Bucket, ExploredField, ExploredMeasurement } from "../../../buckets/kind.ts";
import { TorusError } from "../../../core/errors.ts";
import { MAX_TAGS } from "../../../core/model/fleet.ts";
import type { Tags } from "../../../core/related/tags.ts";
import type { Range } from "../../../core/series/grid.ts";

/** Fields that a scan reads; of more, the first by name. */
const MAX_FIELDS = 500;
/** Fields of one read: those of a measurement with the same tags. */
const FIELDS_PER_READ = 20;

/** Fields that are read together. */
export interface Source {
  readonly measurement: string | null;
  readonly fields: readonly Pick<ExploredField, "name" | "kind">[];
  /** Names of tags, at most as many as a fleet has. */
  readonly tags: readonly string[];
}

/** One series of a field. */
export interface SourceSeries {
  readonly measurement: string | null;
  readonly field: string;
  readonly tags: Tags;
  readonly column: Float64Array;
}

/** @throws TorusError `not_supported`, `bucket_*` */
export async function listSources(bucket: Bucket, signal: AbortSignal): Promise<Source[]> {
  if (!bucket.explore)
    throw new TorusError(
      "not_supported",
      "a bucket of this kind cannot be explored: watch its series with models",
    );
  const limits = { measurements: MAX_FIELDS, names: MAX_FIELDS, values: 1 };
  const { measurements } = await bucket.explore({ limits }, signal);
  const metadata = (await bucket.listMetadata?.(signal)) ?? [];
  const kinds = new Map(metadata.map(({ name, type }) => [name, type]));
  let left = MAX_FIELDS;
  return measurements.flatMap((measurement) => {
    const fields = measurement.fields.slice(0, left).map((field) => {
      const kind = field.kind ?? kinds.get(field.name) ?? kindByName(measurement, field);
      return { ...field, ...(kind !== undefined && { kind }) };
    });
    const own = sourcesOf({ ...measurement, fields });
    left -= Math.min(left, measurement.fields.length);
    return own;
  });
}

/** Counters end so in OpenMetrics; not every server tells what a metric is. */
function kindByName({ name: measurement }: ExploredMeasurement, { name }: ExploredField) {
  return measurement === null && name.endsWith("_total") ? "counter" : undefined;
}

function sourcesOf({ name, fields, tags }: ExploredMeasurement): Source[] {
  const common = tags.map((tag) => tag.name);
  const numeric = fields.filter(({ type }) => type !== "string" && type !== "boolean");
  const byTags = Map.groupBy(numeric, (field) => JSON.stringify((field.tags ?? common).slice(0, MAX_TAGS)));
  return [...byTags].flatMap(([key, alike]) => {
    const parts: Source[] = [];
    for (let from = 0; from < alike.length; from += FIELDS_PER_READ)
      parts.push({
        measurement: name,
        fields: alike.slice(from, from + FIELDS_PER_READ),
        tags: JSON.parse(key),
      });
    return parts;
  });
}

interface SourceRead {
  readonly source: Source;
  /** Aligned. */
  readonly range: Range;
  readonly intervalMs: number;
  /** Most series: combinations of tags, each of every field. */
  readonly maxSeries: number;
  /** Only series with these tags. */
  readonly filter?: Tags | undefined;
}

/** The series of a source that have a value in the range; none where it lacks a tag of the filter. @throws TorusError `bucket_*`, `canceled` */
export async function readSource(
  bucket: Bucket,
  { source, range, intervalMs, maxSeries, filter = {} }: SourceRead,
  signal: AbortSignal,
): Promise<SourceSeries[]> {
  const { measurement, tags: groupBy, fields } = source;
  if (Object.keys(filter).some((tag) => !groupBy.includes(tag))) return [];
  const match = Object.entries(filter).map(([tag, value]) => ({ tag, value }));
  const features = fields.map(({ name, kind }) => ({
    ...{ name, field: name, tags: match, metric: kind === "counter" ? "rate" : "avg" },
    ...(measurement !== null && { measurement }),
  }));
  const query = { range, intervalMs, features };
  const isGrouped = groupBy.length > 0 && bucket.readGrouped !== undefined;
  const maxGroups = Math.ceil(maxSeries / fields.length);
  const series = isGrouped
    ? (await bucket.readGrouped!({ ...query, groupBy, maxSeries: maxGroups }, signal)).series
    : [{ tags: {}, grid: await bucket.read(query, signal) }];
  return series.flatMap(({ tags, grid }) =>
    fields.flatMap(({ name: field }): SourceSeries[] => {
      const column = grid.columns[field]!;
      return column.some(Number.isFinite) ? [{ measurement, field, tags, column }] : [];
    }),
  );
}
