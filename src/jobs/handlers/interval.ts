// What `bucket_interval: auto` becomes in a training: points are counted, first coarsely, then closely in a few places.
import { TorusError } from "../../core/errors.ts";
import { isAutoInterval } from "../../core/model/bucket-interval.ts";
import { type Feature, isPlain } from "../../core/model/feature.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { alignRange, type Range } from "../../core/series/grid.ts";
import {
  distancesOf,
  firstInterval,
  judgeInterval,
  MOST_GROWTH,
  occupiedRange,
  probesOf,
  type Survey,
  shortestInterval,
  spacingOf,
  surveyInterval,
} from "../../core/series/interval-detection.ts";
import { formatDate } from "../../core/time/time.ts";
import { type OpenBucket, readFeatures } from "./features.ts";

export interface IntervalInput {
  readonly settings: ModelSettings;
  /** Bucket of the features that name none of their own. */
  readonly bucket: string;
  /** What will be trained on, not aligned. */
  readonly range: Range;
}

/**
 * Settings whose interval is known: as they are, or with the one that suits the points of the range, in seconds. The
 * feature with the sparsest points decides.
 * @throws TorusError `no_data`, `bucket_*`, `canceled`
 */
export async function settleInterval(
  open: OpenBucket,
  input: IntervalInput,
  signal: AbortSignal,
): Promise<ModelSettings> {
  const { settings } = input;
  if (!isAutoInterval(settings)) return settings;
  const { range, features } = await surveyOccupied(open, input, signal);
  let intervalMs = shortestInterval(range, settings.features.length);
  for (const one of features) {
    const startMs = Math.max(intervalMs, firstInterval(spacingOf(one.survey)!));
    intervalMs = await fillIntervals(
      (ms) => probe(open, { ...input, ...one, range, intervalMs: ms }, signal),
      startMs,
    );
  }
  return { ...settings, bucket_interval: intervalMs / 1000 };
}

/** Lengthens the interval until nearly every one holds points, or that leads nowhere. */
async function fillIntervals(
  measure: (intervalMs: number) => Promise<readonly number[]>,
  startMs: number,
): Promise<number> {
  let mostMs = Number.POSITIVE_INFINITY;
  for (let intervalMs = startMs; ; ) {
    const { isFilled, isUsual, nextMs } = judgeInterval(intervalMs, await measure(intervalMs));
    if (isUsual) mostMs = Math.min(mostMs, MOST_GROWTH * intervalMs);
    if (isFilled || nextMs === undefined || nextMs > mostMs) return intervalMs;
    intervalMs = nextMs;
  }
}

/** A feature whose points are counted, and how many there are all over the range. */
interface Surveyed {
  readonly feature: Feature;
  readonly survey: Survey;
}

/** Surveys the part of the range that holds points: a void around it would make the look at it coarse. */
async function surveyOccupied(
  open: OpenBucket,
  input: IntervalInput,
  signal: AbortSignal,
): Promise<{ range: Range; features: readonly Surveyed[] }> {
  let { range } = input;
  for (;;) {
    const features = await surveyFeatures(open, { ...input, range }, signal);
    const occupied = occupiedRange(
      features.map(({ survey }) => survey),
      range,
    );
    // Each further look is at half of the range or less, so there are few.
    if (lengthOf(occupied) > lengthOf(range) / 2) return { range, features };
    range = occupied;
  }
}

function lengthOf({ fromAt, toAt }: Range): number {
  return toAt - fromAt;
}

/** Features that have points. @throws TorusError `no_data` where none has */
async function surveyFeatures(
  open: OpenBucket,
  { settings, bucket, range }: IntervalInput,
  signal: AbortSignal,
): Promise<readonly Surveyed[]> {
  const features = countedFeatures(settings.features);
  const intervalMs = surveyInterval(range);
  const whole = alignRange(range, intervalMs);
  const read = { features, bucket, range: whole, intervalMs };
  const { startAt, columns } = await readFeatures(open, read, signal);
  const surveyed = features.map((feature) => {
    return { feature, survey: { startAt, intervalMs, counts: columns[feature.name]! } };
  });
  const present = surveyed.filter(({ survey }) => spacingOf(survey) !== undefined);
  if (present.length > 0) return present;
  const period = `${formatDate(range.fromAt)} to ${formatDate(range.toAt)}`;
  const way = "check the bucket, the field, the measurement and the dates";
  throw new TorusError("no_data", `no data found for time range ${period}: ${way}`, { found: 0 });
}

/** Those of which an empty interval would be a missing value, and where there are none all whose points can be counted. */
function countedFeatures(features: readonly Feature[]): readonly Feature[] {
  const plain = features.filter(isPlain);
  const needy = plain.filter(
    ({ metric, default: filler }) => (filler ?? null) === null && metric !== "count",
  );
  return (needy.length > 0 ? needy : plain).map((feature) => ({ ...feature, metric: "count" }));
}

interface Probe extends Pick<IntervalInput, "bucket" | "range">, Surveyed {
  readonly intervalMs: number;
}

/** How far apart the intervals are that hold points, in a few places. */
async function probe(
  open: OpenBucket,
  { feature, survey, bucket, range, intervalMs }: Probe,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const distances: number[] = [];
  for (const part of probesOf(survey, range, intervalMs)) {
    const read = { features: [feature], bucket, range: part, intervalMs };
    const { columns } = await readFeatures(open, read, signal);
    distances.push(...distancesOf(columns[feature.name]!));
  }
  return distances;
}
