// Detection of `bucket_interval: auto`: counts points coarsely over the range, then finely in a few samples.
import { isAutoInterval } from "../core/model/bucket-interval.ts";
import { type Feature, isPlain } from "../core/model/feature.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { alignRange, type Range } from "../core/series/grid.ts";
import {
  distancesOf,
  firstInterval,
  type Histogram,
  histogramInterval,
  judgeInterval,
  MAX_GROWTH,
  occupiedRange,
  sampleRanges,
  shortestInterval,
  spacingOf,
} from "../core/series/interval-detection.ts";
import { noData, type OpenBucket, readFeatures, SOURCE_ADVICE } from "./features.ts";

interface IntervalInput {
  readonly features: readonly Feature[];
  /** Default bucket of the features. */
  readonly bucket: string;
  /** Range of the training, not aligned. */
  readonly range: Range;
}

/**
 * Resolves an `auto` interval to one that fits the points of the range, in seconds; other settings are returned
 * unchanged. The feature with the sparsest points decides.
 * @throws TorusError `no_data`, `bucket_*`, `canceled`
 */
export async function resolveInterval(
  open: OpenBucket,
  { settings, ...input }: Omit<IntervalInput, "features"> & { readonly settings: ModelSettings },
  signal: AbortSignal,
): Promise<ModelSettings> {
  if (!isAutoInterval(settings)) return settings;
  const intervalMs = await findInterval(open, { ...input, features: settings.features }, signal);
  return { ...settings, bucket_interval: intervalMs / 1000 };
}

/**
 * The interval that fits the points of the range, ms.
 * @throws TorusError `no_data`, `bucket_*`, `canceled`
 */
export async function findInterval(
  open: OpenBucket,
  input: IntervalInput,
  signal: AbortSignal,
): Promise<number> {
  const { range, features } = await surveyOccupied(open, input, signal);
  let intervalMs = shortestInterval(range, input.features.length);
  for (const one of features) {
    const startMs = Math.max(intervalMs, firstInterval(spacingOf(one.survey)!));
    intervalMs = await fillIntervals(
      (ms) => sampleDistances(open, { ...input, ...one, range, intervalMs: ms }, signal),
      startMs,
    );
  }
  return intervalMs;
}

/** Lengthens the interval until nearly all of them hold points, or no longer one helps. */
async function fillIntervals(
  measure: (intervalMs: number) => Promise<readonly number[]>,
  startMs: number,
): Promise<number> {
  let maxMs = Number.POSITIVE_INFINITY;
  for (let intervalMs = startMs; ; ) {
    const { isFilled, isUsual, nextMs } = judgeInterval(intervalMs, await measure(intervalMs));
    if (isUsual) maxMs = Math.min(maxMs, MAX_GROWTH * intervalMs);
    if (isFilled || nextMs === undefined || nextMs > maxMs) return intervalMs;
    intervalMs = nextMs;
  }
}

/** A feature with the counts of its points over the range. */
interface Surveyed {
  readonly feature: Feature;
  readonly survey: Histogram;
}

/** Surveys the occupied part of the range: empty parts around it would make the counts coarse. */
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
    // Each further survey halves the range at least.
    if (lengthOf(occupied) > lengthOf(range) / 2) return { range, features };
    range = occupied;
  }
}

function lengthOf({ fromAt, toAt }: Range): number {
  return toAt - fromAt;
}

/** Features that have points. @throws TorusError `no_data` if none has */
async function surveyFeatures(
  open: OpenBucket,
  { features: all, bucket, range }: IntervalInput,
  signal: AbortSignal,
): Promise<readonly Surveyed[]> {
  const features = countedFeatures(all);
  const intervalMs = histogramInterval(range);
  const whole = alignRange(range, intervalMs);
  const read = { features, bucket, range: whole, intervalMs };
  const { startAt, columns } = await readFeatures(open, read, signal);
  const surveyed = features.map((feature) => {
    return { feature, survey: { startAt, intervalMs, counts: columns[feature.name]! } };
  });
  const present = surveyed.filter(({ survey }) => spacingOf(survey) !== undefined);
  if (present.length > 0) return present;
  throw noData(range, SOURCE_ADVICE);
}

/** Countable features for which an empty interval is a missing value; all countable ones if there are none. */
function countedFeatures(features: readonly Feature[]): readonly Feature[] {
  const plain = features.filter(isPlain);
  const sparse = plain.filter(
    ({ metric, default: filler }) => (filler ?? null) === null && metric !== "count",
  );
  return (sparse.length > 0 ? sparse : plain).map((feature) => ({ ...feature, metric: "count" }));
}

interface SampleInput extends Pick<IntervalInput, "bucket" | "range">, Surveyed {
  readonly intervalMs: number;
}

/** Distances of the intervals that hold points, in a few samples of the range. */
async function sampleDistances(
  open: OpenBucket,
  { feature, survey, bucket, range, intervalMs }: SampleInput,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const distances: number[] = [];
  for (const part of sampleRanges(survey, range, intervalMs)) {
    const read = { features: [feature], bucket, range: part, intervalMs };
    const { columns } = await readFeatures(open, read, signal);
    distances.push(...distancesOf(columns[feature.name]!));
  }
  return distances;
}
