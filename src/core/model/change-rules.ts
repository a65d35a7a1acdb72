// Rules for `interval` and `silence` that a request sets; stored settings of earlier versions stay valid; pure.
import { invalid } from "../errors.ts";
import { parseDuration, SECOND_MS } from "../time/time.ts";
import { bucketIntervalOf, isAutoInterval } from "./bucket-interval.ts";
import type { ModelSettings } from "./model.ts";
import { AUTO_SILENCE } from "./silence.ts";

/** Shortest `interval`; of a shorter `bucket_interval` that. */
const MIN_INTERVAL_MS = SECOND_MS;

/**
 * Checks `interval` and `silence` where a request sets or changes them.
 * @param settings checked otherwise
 * @param before settings that stay valid as they are
 * @throws TorusError `invalid` with path, rule and remedy
 */
export function checkChanged(settings: ModelSettings, before: Partial<ModelSettings> = {}): void {
  const isKept = (key: "interval" | "silence") =>
    before[key] === settings[key] && before.bucket_interval === settings.bucket_interval;
  if (!isKept("interval")) checkPeriod(settings);
  if (!isKept("silence")) checkSilence(settings);
}

function checkPeriod(settings: ModelSettings): void {
  const { interval } = settings;
  if (interval === undefined) return;
  const leastMs = isAutoInterval(settings)
    ? MIN_INTERVAL_MS
    : Math.min(MIN_INTERVAL_MS, bucketIntervalOf(settings));
  if (parseDuration(interval, "interval") < leastMs)
    throw invalid(
      "interval",
      `must be at least ${leastMs === SECOND_MS ? "1s" : "bucket_interval"}; default: bucket_interval`,
    );
}

/** Points are seen once per interval: a shorter age is reached between two of them. */
function checkSilence(settings: ModelSettings): void {
  const { silence, bucket_interval } = settings;
  if (silence === undefined || silence === null || silence === AUTO_SILENCE || isAutoInterval(settings))
    return;
  if (parseDuration(silence, "silence") < bucketIntervalOf(settings))
    throw invalid("silence", `must not be shorter than bucket_interval (${bucket_interval}); or auto`);
}
