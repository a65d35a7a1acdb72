// Whether a data source answers, and what is in it.
import type { Bucket, ExploredMeasurement, Finding } from "../buckets/kind.ts";
import { describeError, TorusError } from "../core/errors.ts";
import { formatDate } from "../core/time.ts";
import { exploreLimits } from "./limits.ts";

/** The longest a data source may be asked what it is; its own `timeout` may end it before. */
const DEADLINE_MS = 60_000;

/**
 * Connects to a bucket.
 * @returns `{ok: true, duration, version?, series?, newest_timestamp?}`, or `{ok: false, duration, code, error}`;
 * durations and timestamps in s
 */
export async function testBucket(bucket: Bucket): Promise<object> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt) / 1000;
  try {
    const found = await probeBucket(bucket);
    return { ok: true, duration: duration(), ...viewFinding(found) };
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    const { code, message } = describeError(error);
    return { ok: false, duration: duration(), code, error: message };
  }
}

/** Connects to a bucket. @throws TorusError `bucket_*`, `not_supported` where the kind cannot say */
export async function probeBucket(bucket: Bucket): Promise<Finding> {
  if (!bucket.probe)
    throw new TorusError("not_supported", "a bucket of this kind cannot be tested: read from it instead");
  return bucket.probe(AbortSignal.timeout(DEADLINE_MS));
}

function viewFinding({ version, series, newestAt }: Finding): object {
  const newest = newestAt && { newest_date: formatDate(newestAt), newest_timestamp: newestAt / 1000 };
  return {
    ...(version !== undefined && { version }),
    ...(series !== undefined && { series }),
    ...(newestAt === null ? { newest_timestamp: null } : newest),
  };
}

/**
 * Measurements with their fields and tags, all of them or one.
 * @throws TorusError `not_supported`, `bucket_*`
 */
export async function exploreBucket(bucket: Bucket, measurement: string | undefined): Promise<object> {
  if (!bucket.explore)
    throw new TorusError(
      "not_supported",
      "a bucket of this kind cannot be explored: name fields and read them",
    );
  const options = { limits: exploreLimits, ...(measurement && { measurement }) };
  const { measurements, truncated } = await bucket.explore(options, AbortSignal.timeout(DEADLINE_MS));
  return { measurements: measurements.map(viewMeasurement), truncated };
}

function viewMeasurement({ name, fields, tags, firstAt, lastAt }: ExploredMeasurement): object {
  const inSeconds = (at: number | null) => at && at / 1000;
  return {
    name,
    fields,
    tags,
    ...(firstAt !== undefined && { first_timestamp: inSeconds(firstAt) }),
    ...(lastAt !== undefined && { last_timestamp: inSeconds(lastAt) }),
  };
}
