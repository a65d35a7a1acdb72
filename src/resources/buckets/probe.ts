// Connection tests of data sources, and lists of their measurements, fields and tags.
import type {
  Bucket,
  ExploredMeasurement,
  ExploreLimits,
  ExploreOptions,
  ProbeResult,
} from "../../buckets/kind.ts";
import { describeError, invalid, TorusError } from "../../core/errors.ts";
import { guessUnit } from "../../core/formats/units/guess.ts";
import { parsePattern } from "../../core/input/name-pattern.ts";
import { type MetricMetadata, statedUnit } from "../../core/series/metric-metadata.ts";
import { formatDate } from "../../core/time/time.ts";
import { givenNumber, type Params } from "../shared/range.ts";
import { exploreParameters } from "./request.ts";

/** Entries of an exploration without pages. */
export const exploreLimits: ExploreLimits = { measurements: 50, names: 100, values: 20 };

/** Entries of a page of an exploration without `per_page`. */
const PAGE_SIZE = 100;

/** Of a test or an exploration; the `timeout` of the bucket may be shorter. */
const DEADLINE_MS = 60_000;
/** Characters of a name or of `search`. */
const MAX_NAME = 256;

/**
 * Connects to a bucket.
 * @returns `{ok: true, duration, version?, series?, newest_timestamp?}` or `{ok: false, duration, code, error}`;
 * durations and timestamps in seconds
 */
export async function testBucket(bucket: Bucket): Promise<object> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt) / 1000;
  try {
    const result = await probeBucket(bucket);
    return { ok: true, duration: duration(), ...viewProbeResult(result) };
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    const { code, message } = describeError(error);
    return { ok: false, duration: duration(), code, error: message };
  }
}

/** Connects to a bucket. @throws TorusError `bucket_*`, `not_supported` by its kind */
export async function probeBucket(bucket: Bucket): Promise<ProbeResult> {
  if (!bucket.probe)
    throw new TorusError(
      "not_supported",
      "connection tests are not supported by buckets of this kind: read from it instead",
    );
  return bucket.probe(AbortSignal.timeout(DEADLINE_MS));
}

function viewProbeResult({ version, series, newestAt }: ProbeResult): object {
  const newest = newestAt && { newest_date: formatDate(newestAt), newest_timestamp: newestAt / 1000 };
  return {
    ...(version !== undefined && { version }),
    ...(series !== undefined && { series }),
    ...(newestAt === null ? { newest_timestamp: null } : newest),
  };
}

/**
 * Measurements with their fields and tags: the first ones, or a page of those that match `search`.
 * @param params `measurement`, `field`, `tag`, `search`, `page`, `per_page`
 * @throws TorusError `invalid`, `not_supported`, `bucket_*`
 */
export async function exploreBucket(bucket: Bucket, params: Params): Promise<object> {
  const options = parseExploreOptions(params);
  if (!bucket.explore)
    throw new TorusError(
      "not_supported",
      "exploring is not supported by buckets of this kind: name fields and read them",
    );
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const { measurements, truncated } = await bucket.explore(options, signal);
  const metadata = new Map((await bucket.listMetadata?.(signal))?.map((metric) => [metric.name, metric]));
  return { measurements: measurements.map((each) => viewMeasurement(each, metadata)), truncated };
}

/** @throws TorusError `invalid` */
function parseExploreOptions(params: Params): ExploreOptions {
  const { page, per_page, search, ...names } = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== "" && value !== undefined),
  );
  const named = Object.fromEntries(
    (["measurement", "field", "tag"] as const).flatMap((key) =>
      names[key] === undefined ? [] : [[key, parseText(names[key], key)]],
    ),
  );
  const isPage = [page, per_page, search, named.tag].some((value) => value !== undefined);
  if (!isPage) return { limits: exploreLimits, ...named };
  const size = givenNumber(exploreParameters, params, "per_page") ?? PAGE_SIZE;
  const skip = (givenNumber(exploreParameters, params, "page") ?? 0) * size;
  // A page of fields shows the first values of their tags; a page of tag values shows only these.
  const limits =
    named.tag === undefined ? { ...exploreLimits, names: size } : { ...exploreLimits, values: size };
  return {
    limits,
    skip,
    ...named,
    ...(search !== undefined && { search: parsePattern(parseText(search, "search")) }),
  };
}

function parseText(value: unknown, path: string): string {
  if (typeof value === "string" && value.length <= MAX_NAME) return value;
  throw invalid(path, `must be a text of at most ${MAX_NAME} characters`);
}

type Metadata = ReadonlyMap<string, MetricMetadata>;

function viewMeasurement(
  { name, fields, tags, firstAt, lastAt }: ExploredMeasurement,
  metadata: Metadata,
): object {
  const inSeconds = (at: number | null) => at && at / 1000;
  return {
    name,
    fields: fields.map((field) => ({ ...field, ...describeField(name, field, metadata) })),
    tags,
    ...(firstAt !== undefined && { first_timestamp: inSeconds(firstAt) }),
    ...(lastAt !== undefined && { last_timestamp: inSeconds(lastAt) }),
  };
}

/** Kind and unit of a field: what the source says of its metric, otherwise the unit of its name. */
function describeField(
  measurement: string | null,
  { name, kind, unit }: ExploredMeasurement["fields"][number],
  metadata: Metadata,
): Partial<Record<"kind" | "unit", string>> {
  const known = kind ?? metadata.get(name)?.type;
  const stated = unit ?? statedUnit(name, (metric) => metadata.get(metric)?.unit);
  const guessed = stated ?? guessUnit({ measurement, field: name });
  return {
    ...(known !== undefined && known !== "unknown" && { kind: known }),
    ...(guessed !== undefined && { unit: guessed }),
  };
}
