// Effective settings of a stored model, parsed once per row: durations in ms, schedule, rules of detection, buckets.
import type { AnomalyRules } from "../core/anomaly/state.ts";
import { bucketIntervalOf, isAutoInterval } from "../core/model/bucket-interval.ts";
import { effectiveSettings, withSharingSeries } from "../core/model/effective-settings.ts";
import { bucketOf, type ModelSettings } from "../core/model/model.ts";
import { offsetOf } from "../core/model/offset.ts";
import { unitsIn } from "../core/model/version-summary.ts";
import { phaseOf, type TickSchedule } from "../core/time/tick.ts";
import { parseDuration } from "../core/time/time.ts";
import { withUnits } from "../metrics/units.ts";
import { rulesOf } from "../models/scoring/detect.ts";
import type { ModelRow } from "../store/models.ts";

export interface StoredSettings {
  /** Effective settings with the units in force, see `effectiveSettings`, `withUnits`; without a version the current ones, an `auto` interval a minute. */
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

type StoredModel = Pick<ModelRow, "settings" | "version">;

/** By row: the store returns the same frozen row until a write changes it. */
const parsedRows = new WeakMap<StoredModel, StoredSettings>();

/** Seconds; until a training has chosen the interval. */
const UNRESOLVED_INTERVAL = 60;

export function storedSettings(row: StoredModel): StoredSettings {
  const known = parsedRows.get(row);
  if (known) return known;
  const { settings, version } = row;
  const effective = version
    ? withSharingSeries(effectiveSettings(settings, version.settings), version.summary)
    : resolve(settings);
  const parsed = parse(withUnits(effective, unitsIn(version?.summary)));
  parsedRows.set(row, parsed);
  return parsed;
}

function resolve(settings: ModelSettings): ModelSettings {
  return isAutoInterval(settings) ? { ...settings, bucket_interval: UNRESOLVED_INTERVAL } : settings;
}

function parse(settings: ModelSettings): StoredSettings {
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

function bucketsOf(settings: ModelSettings): string[] {
  const names = settings.features.map(({ bucket }) => bucket || bucketOf(settings));
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
