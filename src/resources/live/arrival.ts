// Arrival of a model's newest points at its start: detects late points before the first window.
import { bucketOf } from "../../core/model/model.ts";
import { type Arrival, arrivalOf } from "../../core/series/arrival.ts";
import { alignRange } from "../../core/series/grid.ts";
import { distancesOf, naturalInterval } from "../../core/series/interval-detection.ts";
import type { StoredSettings } from "../../live/stored-settings.ts";
import { type OpenBucket, readFeatures } from "../../points/features.ts";
import { explainMissing, fieldSourcesOf } from "../../points/missing-fields.ts";

/** Range read: this many intervals, and at least this long. */
const INTERVALS = 3;
const MIN_RANGE_MS = 600_000;
const BINS_PER_INTERVAL = 10;
const MAX_BINS = 3600;
const READ_DEADLINE_MS = 2000;

/**
 * Counts the newest points in fine bins; features with a query are skipped.
 * @param nowAt ms since the epoch
 * @returns undefined if there are no points or the bucket does not answer
 */
export async function measureArrival(
  open: OpenBucket,
  { settings, intervalMs }: Pick<StoredSettings, "settings" | "intervalMs">,
  nowAt: number,
): Promise<Arrival | undefined> {
  const features = settings.features
    .filter(({ query, budget }) => !query && !budget)
    .map((one) => ({ ...one, metric: "count" }));
  if (features.length === 0) return undefined;
  const lengthMs = Math.max(INTERVALS * intervalMs, MIN_RANGE_MS);
  const binMs = Math.min(
    intervalMs,
    naturalInterval(Math.max(intervalMs / BINS_PER_INTERVAL, lengthMs / MAX_BINS)),
  );
  const range = alignRange({ fromAt: nowAt - lengthMs, toAt: nowAt }, binMs);
  const read = { features, bucket: bucketOf(settings) ?? "", range, intervalMs: binMs };
  try {
    const { columns, startAt } = await readFeatures(open, read, AbortSignal.timeout(READ_DEADLINE_MS));
    const arrivals = Object.values(columns).flatMap((counts) => {
      const last = counts.findLastIndex((count) => count > 0);
      if (last < 0) return [];
      const newestAt = Math.min(nowAt, startAt + (last + 1) * binMs);
      return [
        arrivalOf({ newestAt, spacingMs: medianOf(distancesOf(counts)) * binMs, binMs, nowAt, intervalMs }),
      ];
    });
    // The feature whose points arrive last decides.
    return arrivals.sort((a, b) => b.neededMs - a.neededMs)[0];
  } catch {
    // The first evaluation reports the error of the bucket.
    return undefined;
  }
}

/**
 * Reasons why features have no points, and why all points are one series; none where the bucket cannot tell in time.
 * @param arrival as measured: where points arrive, only the tags of `group_by` can be wrong
 */
export async function explainArrival(
  open: OpenBucket,
  { settings }: Pick<StoredSettings, "settings">,
  arrival: Arrival | undefined,
): Promise<readonly string[]> {
  if (arrival && !settings.group_by) return [];
  const sources = fieldSourcesOf(settings, bucketOf(settings) ?? "");
  return explainMissing(open, sources, AbortSignal.timeout(READ_DEADLINE_MS)).catch(() => []);
}

/** @returns 1 if the list is empty */
function medianOf(distances: readonly number[]): number {
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
}
