// Rules for times and limits that a request sets; stored settings of earlier versions stay valid; pure.
import { invalid } from "../errors.ts";
import { unitText } from "../formats/units/unit.ts";
import { nextRuns } from "../time/scheduled-job.ts";
import { DAY_MS, MINUTE_MS, parseDuration, SECOND_MS } from "../time/time.ts";
import { bucketIntervalOf, isAutoInterval } from "./bucket-interval.ts";
import type { Feature } from "./feature.ts";
import type { ModelSettings } from "./model.ts";
import { AUTO_SILENCE } from "./silence.ts";

/** Shortest `interval`; of a shorter `bucket_interval` that. */
const MIN_INTERVAL_MS = SECOND_MS;

/** Times after which live detection would not see, or say, anything for longer. */
const MAX_TIME_MS = 365 * DAY_MS;
const boundedTimes = ["interval", "offset", "grace_period", "silence"] as const;

/** Runs of a timetable that are compared; any time to start from will do. */
const COMPARED_RUNS = { afterAt: Date.UTC(2026, 0, 1), timezone: "UTC", count: 5 };

/**
 * Checks times, and limits of features, where a request sets or changes them.
 * @param settings checked otherwise
 * @param before settings that stay valid as they are
 * @throws TorusError `invalid` with path, rule and remedy
 */
export function checkChanged(settings: ModelSettings, before: Partial<ModelSettings> = {}): void {
  const isSame = (key: keyof ModelSettings) => Bun.deepEquals(before[key], settings[key]);
  const isKept = (key: keyof ModelSettings) => isSame(key) && isSame("bucket_interval");
  if (!isKept("interval")) checkPeriod(settings);
  if (!isKept("silence")) checkSilence(settings);
  if (!isKept("retrain")) checkRetrainPeriod(settings);
  if (!isSame("watch_forecast")) checkForecastPeriods(settings);
  if (!isSame("features")) checkFeatureLimits(settings.features);
  for (const key of boundedTimes) if (!isSame(key)) checkLength(key, settings[key]);
}

function checkLength(key: string, time: ModelSettings[(typeof boundedTimes)[number]]): void {
  if (time === undefined || time === null || time === AUTO_SILENCE) return;
  if (parseDuration(time, key) > MAX_TIME_MS) throw invalid(key, "must be at most 365d");
}

/** A training that begins before there is a new interval learns nothing new. */
function checkRetrainPeriod(settings: ModelSettings): void {
  if (!settings.retrain) return;
  const runs = nextRuns(settings.retrain, COMPARED_RUNS);
  const shortestMs = Math.min(...runs.slice(1).map((at, i) => at - runs[i]!));
  const isAuto = isAutoInterval(settings);
  if (shortestMs < Math.max(MINUTE_MS, isAuto ? 0 : bucketIntervalOf(settings)))
    throw invalid("retrain.every", `must be at least 1m${isAuto ? "" : " and bucket_interval"}`);
}

/** A breach that comes nearer than the next forecast would not be announced ahead. */
function checkForecastPeriods({ watch_forecast = [] }: ModelSettings): void {
  for (const [index, { within, every }] of watch_forecast.entries())
    if (every !== undefined && parseDuration(every) > parseDuration(within))
      throw invalid(`watch_forecast.${index}.every`, `must not be longer than within (${within})`);
}

/** Values are compared as they are: units are not converted, and none is above `max`. */
function checkFeatureLimits(features: readonly Feature[]): void {
  for (const [index, { limit, unit, max }] of features.entries()) {
    const path = `features.${index}.limit`;
    if (typeof limit === "number" && max !== undefined && limit > max)
      throw invalid(path, `must not be above max (${max}), which no value exceeds`);
    const other = unitText(features.find(({ name }) => name === limit)?.unit);
    if (other !== undefined && unit !== undefined && other !== unitText(unit))
      throw invalid(path, `must be of the unit of the feature: ${limit} is in ${other}, not ${unit}`);
  }
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
