// Look at the newest points of a model that is started: whether they come late, before the first window finds out.
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import { type Arrival, arrivalOf } from "../../core/series/arrival.ts";
import { alignRange } from "../../core/series/grid.ts";
import { distancesOf, naturalInterval } from "../../core/series/interval-detection.ts";
import { type OpenBucket, readFeatures } from "../../jobs/handlers/features.ts";

/** The look reaches back over so many intervals, and at least so long. */
const INTERVALS = 3;
const SHORTEST_MS = 600_000;
/** Bins per interval. */
const BINS = 10;
const MOST_BINS = 3600;
/** A bucket that answers more slowly is not waited for. */
const LONGEST_MS = 2000;

/**
 * Counts the newest points in fine bins. Features that are queries cannot be counted.
 * @param settings those in force. @param nowAt ms since the epoch
 * @returns undefined where nothing can be said: no points, or a bucket that does not answer
 */
export async function lookAtArrival(
  open: OpenBucket,
  settings: ModelSettings,
  nowAt: number,
): Promise<Arrival | undefined> {
  const intervalMs = bucketIntervalOf(settings);
  const features = settings.features
    .filter(({ query }) => !query)
    .map((one) => ({ ...one, metric: "count" }));
  if (features.length === 0) return undefined;
  const lengthMs = Math.max(INTERVALS * intervalMs, SHORTEST_MS);
  const binMs = Math.min(intervalMs, naturalInterval(Math.max(intervalMs / BINS, lengthMs / MOST_BINS)));
  const range = alignRange({ fromAt: nowAt - lengthMs, toAt: nowAt }, binMs);
  const read = { features, bucket: bucketOf(settings) ?? "", range, intervalMs: binMs };
  try {
    const { columns, startAt } = await readFeatures(open, read, AbortSignal.timeout(LONGEST_MS));
    const looks = Object.values(columns).flatMap((counts) => {
      const last = counts.findLastIndex((count) => count > 0);
      if (last < 0) return [];
      const newestAt = Math.min(nowAt, startAt + (last + 1) * binMs);
      return [
        arrivalOf({ newestAt, spacingMs: medianOf(distancesOf(counts)) * binMs, binMs, nowAt, intervalMs }),
      ];
    });
    // The feature whose points come last decides.
    return looks.sort((a, b) => b.neededMs - a.neededMs)[0];
  } catch {
    // The first evaluation says what is wrong with the bucket.
    return undefined;
  }
}

/** 1 where there is none. */
function medianOf(distances: readonly number[]): number {
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
}
