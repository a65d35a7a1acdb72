// Settings of a live model, parsed once: durations in ms, rules of detection, schedule and buckets; pure.
import type { AnomalyRules } from "../core/anomaly/state.ts";
import { bucketIntervalOf } from "../core/model/bucket-interval.ts";
import { bucketOf, type ModelSettings } from "../core/model/model.ts";
import { offsetOf } from "../core/model/offset.ts";
import { phaseOf, type TickSchedule } from "../core/time/tick.ts";
import { parseDuration } from "../core/time/time.ts";
import { rulesOf } from "../models/scoring/detect.ts";

export interface LiveSettings {
  /** Effective settings, see `effectiveSettings`. */
  readonly settings: ModelSettings;
  /** Length of an interval, ms. */
  readonly intervalMs: number;
  /** How far behind now a window ends, ms; undefined: `auto`, which the state of detection holds. */
  readonly offsetMs: number | undefined;
  /** How often the model is evaluated, and where in the interval. */
  readonly schedule: TickSchedule;
  readonly rules: AnomalyRules;
  /** Names of the buckets it reads from, sorted. */
  readonly buckets: readonly string[];
}

/** @param settings effective ones, valid */
export function parseLiveSettings(settings: ModelSettings): LiveSettings {
  const { name, interval, offset } = settings;
  const intervalMs = bucketIntervalOf(settings);
  const everyMs = interval === undefined ? intervalMs : parseDuration(interval, "interval");
  return {
    settings,
    intervalMs,
    offsetMs: offset === "auto" ? undefined : offsetOf(settings),
    schedule: { intervalMs: everyMs, phaseMs: phaseOf(name, everyMs) },
    rules: rulesOf(settings),
    buckets: bucketsOf(settings),
  };
}

/** Names of the buckets a model reads from, sorted. */
export function bucketsOf(settings: ModelSettings): string[] {
  const names = settings.features.map(({ bucket }) => bucket || bucketOf(settings));
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
