// Plans of reads and writes of points: a request becomes a job; all of it is checked first.
import type { Bucket } from "../../buckets/kind.ts";
import { parseFeatures, parsePoints } from "../../buckets/shared/point.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { DEFAULT_MAX_SERIES, MAX_TAGS } from "../../core/model/fleet.ts";
import type { GroupedQuery } from "../../core/series/query.ts";
import { parseDuration } from "../../core/time/time.ts";
import type { Submission } from "../../jobs/queue/queue.ts";
import { given, givenNumber, type Limits, measureRange, type Params, parseRange } from "../shared/range.ts";
import { readParameters } from "./request.ts";

/** Characters, as of a feature's measurement. */
const MAX_MEASUREMENT = 256;

export interface PlanRules {
  readonly limits: Limits;
  /** ms since the epoch. */
  readonly nowAt: number;
}

interface WriteRequest {
  readonly name: string;
  readonly bucket: Bucket;
  readonly body: unknown;
  readonly measurement?: string;
}

/**
 * A write of checked points.
 * @throws TorusError `not_supported` (read-only), `invalid` naming the index
 */
export async function planWrite({ limits, nowAt }: PlanRules, request: WriteRequest): Promise<Submission> {
  const { name, bucket, body, measurement } = request;
  if (!bucket.write)
    throw new TorusError("not_supported", `bucket ${name} is read-only: write to another one`);
  if (measurement !== undefined && measurement.length > MAX_MEASUREMENT)
    throw invalid("measurement", `must have at most ${MAX_MEASUREMENT} characters`);
  const { pointsPerWrite: cap } = limits;
  if (Array.isArray(body) && body.length > cap)
    throw invalid("body", `holds ${body.length} points, at most ${cap} are allowed: write them in parts`);
  const input = { bucket: name, points: await parsePoints(body, nowAt), ...(measurement && { measurement }) };
  return { type: "write", model: null, input };
}

interface ReadRequest {
  readonly name: string;
  readonly params: Params;
}

/** A read of aggregates. @throws TorusError `invalid` */
export function planRead(
  { limits, nowAt }: PlanRules,
  { name, params }: ReadRequest,
): Extract<Submission, { type: "read" }> {
  const range = parseRange(params, { nowAt });
  const interval = given(params, "bucket_interval");
  if (interval === undefined) throw invalid("bucket_interval", "is required: a duration such as 5m");
  const intervalMs = parseDuration(interval, "bucket_interval");
  if (intervalMs <= 0) throw invalid("bucket_interval", "must be longer than 0");
  const features = parseFeatures(params.features);
  const groups = parseGroups(params);
  const width = features.length * (groups?.maxSeries ?? 1);
  measureRange(range, { intervalMs, width, cap: limits.valuesPerRead });
  const input = { bucket: name, range, intervalMs, features, ...(groups && { groups }) };
  return { type: "read", model: null, input };
}

/** @returns undefined where all points are one series */
function parseGroups(params: Params): Pick<GroupedQuery, "groupBy" | "maxSeries"> | undefined {
  const text = given(params, "group_by");
  const most = givenNumber(readParameters, params, "max_series");
  if (text === undefined) {
    if (most !== undefined) throw invalid("max_series", "needs group_by, the tags that part the series");
    return undefined;
  }
  const groupBy = [...new Set(String(text).split(";"))];
  if (groupBy.length > MAX_TAGS || groupBy.some((tag) => tag === ""))
    throw invalid("group_by", `must be 1 to ${MAX_TAGS} names of tags, separated by ;`);
  return { groupBy, maxSeries: most ?? DEFAULT_MAX_SERIES };
}
