// Why features have no points: their bucket has no such field, or the field holds text; found by an exploration.
import type { Bucket, ExploredField } from "../buckets/kind.ts";
import { TorusError, throwIfAborted } from "../core/errors.ts";
import { suggestClosest } from "../core/input/suggest.ts";
import type { OpenBucket } from "./features.ts";

/** What is read of a bucket. */
export interface FieldSource {
  readonly bucket: string;
  readonly field?: string | undefined;
  readonly metric?: string | undefined;
  readonly measurement?: string | null | undefined;
  readonly query?: string | null | undefined;
}

/** Most fields that are looked up: each may be a request to a store. */
const MAX_FIELDS = 5;
/** Most names among which a near one is looked for. */
const limits = { measurements: 100, names: 1000, values: 1 };
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
    named.map((source) => [`${source.bucket} ${source.measurement} ${source.field}`, source]),
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
  { bucket: name, field = "", metric, measurement }: FieldSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!bucket.explore) return undefined;
  const within = measurement ? { measurement } : {};
  const { measurements } = await bucket.explore({ limits, ...within, field }, signal);
  const found = measurements.flatMap(({ fields }) => fields.filter((one) => one.name === field));
  if (found.length === 0)
    return describeUnknown({ name, field, measurement }, await listFields(bucket, within, signal));
  const text = found.every(({ type = "" }) => textTypes.test(type)) ? found[0] : undefined;
  if (!text || metric === COUNT) return undefined;
  return `field ${field} of bucket ${name} holds text (${text.type}), of which only ${COUNT} makes numbers: choose a field of numbers`;
}

/** Fields that there are; with too many to list, those that come first. */
async function listFields(
  bucket: Bucket,
  within: { readonly measurement?: string },
  signal: AbortSignal,
): Promise<readonly ExploredField[]> {
  const { measurements } = await bucket.explore!({ limits, ...within }, signal);
  return measurements.flatMap(({ fields }) => fields);
}

function describeUnknown(
  { name, field, measurement }: { readonly name: string } & Pick<FieldSource, "field" | "measurement">,
  fields: readonly ExploredField[],
): string {
  const near = suggestClosest(field ?? "", [...new Set(fields.map((one) => one.name))]);
  const place = measurement ? `measurement ${measurement} of bucket ${name}` : `bucket ${name}`;
  return `${place} has no field ${field}${near ? `; did you mean ${near}?` : `: GET /buckets/${name}/_explore lists those there are`}`;
}
