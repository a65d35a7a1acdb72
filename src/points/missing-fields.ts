// Why features have no points: an unknown field, tag or value of a tag, or a field of text; found by an exploration.
import type { Bucket, ExploredMeasurement } from "../buckets/kind.ts";
import { TorusError, throwIfAborted } from "../core/errors.ts";
import { didYouMean } from "../core/input/suggest.ts";
import type { Feature } from "../core/model/feature.ts";
import type { ModelSettings } from "../core/model/model.ts";
import type { OpenBucket } from "./features.ts";

/** What is read of a bucket. */
export interface FieldSource {
  readonly bucket: string;
  readonly field?: string | undefined;
  readonly metric?: string | undefined;
  readonly measurement?: string | null | undefined;
  readonly query?: string | null | undefined;
  readonly match_all?: Feature["match_all"];
  /** Tags that part the points into series. */
  readonly group_by?: readonly string[] | undefined;
}

/** What the features of a model are read from. @param fallback bucket of features without one of their own */
export function fieldSourcesOf(
  { features, group_by }: Pick<ModelSettings, "features" | "group_by">,
  fallback: string,
): FieldSource[] {
  return features.map((one) => ({ ...one, group_by, bucket: one.bucket || fallback }));
}

/** Most fields that are looked up: each may be a few requests to a store. */
const MAX_FIELDS = 5;
/** Most names among which a near one is looked for. */
const limits = { measurements: 100, names: 1000, values: 1 };
/** Most values of a tag: of one with more, none is said to be missing. */
const MAX_VALUES = 1000;
/** Types of text, in the words of the kinds of buckets. */
const textTypes = /^(string|text|keyword|wildcard|varchar|char|character)\b/i;
/** The only metric of text. */
const COUNT = "count";

/**
 * Reasons why fields have no points, at most 5; none where a bucket cannot tell.
 * @throws TorusError `canceled`
 */
export async function explainMissing(
  open: OpenBucket,
  sources: readonly FieldSource[],
  signal: AbortSignal,
): Promise<string[]> {
  const named = sources.filter(({ field, query }) => field !== undefined && !query);
  const distinct = new Map(
    named.map((source) => [
      JSON.stringify([source.bucket, source.measurement, source.field, source.match_all]),
      source,
    ]),
  );
  const reasons: string[] = [];
  for (const source of [...distinct.values()].slice(0, MAX_FIELDS)) {
    try {
      const reason = await explain(await open(source.bucket), source, signal);
      if (reason !== undefined) reasons.push(reason);
    } catch (error) {
      throwIfAborted(signal);
      if (!(error instanceof TorusError)) throw error;
    }
  }
  return reasons;
}

/** Adds the reasons to an error `no_data`; returns other errors unchanged. @throws TorusError `canceled` */
export async function explainNoData(
  error: unknown,
  { open, sources, signal }: { open: OpenBucket; sources: readonly FieldSource[]; signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof TorusError) || error.code !== "no_data") return error;
  const reasons = await explainMissing(open, sources, signal);
  if (reasons.length === 0) return error;
  return new TorusError("no_data", `${error.message}; ${reasons.join("; ")}`, error.details);
}

async function explain(
  bucket: Bucket,
  source: FieldSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!bucket.explore) return undefined;
  const { bucket: name, field = "", metric, measurement } = source;
  const within = measurement ? { measurement } : {};
  const { measurements } = await bucket.explore({ limits, ...within, field }, signal);
  const found = fieldsOf(measurements).filter((one) => one.name === field);
  if (found.length === 0) {
    const known = fieldsOf((await bucket.explore({ limits, ...within }, signal)).measurements);
    const place = measurement ? `measurement ${measurement} of bucket ${name}` : `bucket ${name}`;
    return `${place} has no field ${field}${suggest(field, known.map(nameOf), name)}`;
  }
  const text = found.every(({ type = "" }) => textTypes.test(type)) ? found[0] : undefined;
  if (text && metric !== COUNT)
    return `field ${field} of bucket ${name} holds text (${text.type}), of which only ${COUNT} makes numbers: choose a field of numbers`;
  return explainTags(bucket, source, { measurements, signal });
}

/** The first tag, or value of a tag, that no series of the field has. */
async function explainTags(
  bucket: Bucket,
  { bucket: name, field = "", measurement, match_all, group_by = [] }: FieldSource,
  { measurements, signal }: { measurements: readonly ExploredMeasurement[]; signal: AbortSignal },
): Promise<string | undefined> {
  const matches = match_all ?? [];
  const tags = measurements.flatMap((one) => one.tags.map(nameOf));
  // Some stores match fields as if they were tags.
  const known = [...tags, ...fieldsOf(measurements).map(nameOf)];
  const missing = [...group_by, ...matches.map(({ tag }) => tag)].find((tag) => !known.includes(tag));
  if (missing !== undefined)
    return `field ${field} of bucket ${name} has no tag ${missing}${suggest(missing, tags, name)}`;
  for (const { tag, value } of matches.filter((match) => tags.includes(match.tag))) {
    const query = {
      limits: { ...limits, values: MAX_VALUES },
      ...(measurement && { measurement }),
      field,
      tag,
    };
    const { measurements: found, truncated } = await bucket.explore!(query, signal);
    const values = found.flatMap((one) => one.tags.flatMap((each) => each.values));
    if (!truncated && !values.includes(String(value)))
      return `field ${field} of bucket ${name} has no series of ${tag}:${value}${suggest(String(value), values, name)}`;
  }
  return undefined;
}

function fieldsOf(measurements: readonly ExploredMeasurement[]) {
  return measurements.flatMap(({ fields }) => fields);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** The way out: a near name, or where the names are listed. */
function suggest(word: string, known: readonly string[], bucket: string): string {
  return didYouMean(word, [...new Set(known)]) || `: GET /buckets/${bucket}/_explore lists those there are`;
}
