// From a wish to train, forecast or evaluate to the job that does it: everything is resolved and checked now.
import { checkSource } from "../../buckets/index.ts";
import type { Bucket } from "../../buckets/kind.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { bucketIntervalOf, isAutoInterval } from "../../core/model/bucket-interval.ts";
import { effectiveSettings } from "../../core/model/effective-settings.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import type { Range } from "../../core/series/grid.ts";
import { LONGEST_INTERVAL_MS } from "../../core/series/interval-detection.ts";
import { DAY_MS } from "../../core/time/time.ts";
import type { ForecastJob, PredictJob, RecordTarget, SaveTarget, TrainJob } from "../../jobs/queue/input.ts";
import type { Submission } from "../../jobs/queue/queue.ts";
import { loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import type { ModelRow } from "../../store/models.ts";
import {
  given,
  type Limits,
  measureRange,
  type Params,
  parseRange,
  type RangeDefaults,
} from "../shared/range.ts";
import { parseConstraint, parseFlag, parseLevel, parseLevels, parseName, parseOverrides } from "./params.ts";
import { bucketOfFeature, keepInterval } from "./settings.ts";

export interface PlanDeps {
  readonly store: Store;
  readonly limits: Limits;
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
}

/** A wish: the model as it is, the client's parameters and the present (ms). */
export interface JobRequest {
  readonly row: ModelRow;
  readonly params: Params;
  readonly nowAt: number;
}

/**
 * A training. `from` is required, `to` is now.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained` (to continue), `too_little_data`
 */
export async function planTraining(deps: PlanDeps, { row, params, nowAt }: JobRequest): Promise<Submission> {
  const from = parseFlag(params, "continue") ? requireVersion(row) : undefined;
  const settings = keepInterval(settingsOf(row), from?.settings);
  const range = placeTraining(settings, params, { nowAt, cap: deps.limits.valuesPerRead });
  const overrides: TrainJob["overrides"] = {
    ...parseOverrides(params),
    ...(from && { continueFrom: from.name }),
  };
  const bucket = await chooseBucket(deps, settings, params);
  const input: TrainJob = { model: row.name, settings, bucket, range, overrides };
  return { type: "training", model: row.name, input };
}

/**
 * A forecast. `from` is now; `to` is the model's `forecast` intervals later, or a day.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained`, `not_supported` (output bucket)
 */
export async function planForecast(deps: PlanDeps, { row, params, nowAt }: JobRequest): Promise<Submission> {
  const version = requireVersion(row);
  const settings = effectiveSettings(settingsOf(row), version.settings);
  const intervalMs = bucketIntervalOf(settings);
  const horizonMs = typeof settings.forecast === "number" ? settings.forecast * intervalMs : DAY_MS;
  const { range } = resolveRange(settings, params, {
    nowAt,
    fromAt: nowAt,
    endOf: (fromAt) => fromAt + Math.max(horizonMs, intervalMs),
    cap: deps.limits.valuesPerForecast,
  });
  const names = settings.features.map(({ name }) => name);
  const constraint = parseConstraint(params, names);
  const wishes = {
    level: parseLevel(params),
    levels: parseLevels(params),
    ...(constraint && { constraint }),
  };
  const places = await resolveBuckets(deps, settings, params);
  const input: ForecastJob = {
    model: row.name,
    settings,
    version: version.name,
    range,
    ...wishes,
    ...places,
  };
  return { type: "forecast", model: row.name, input };
}

/**
 * An evaluation of known data. `from` is required, `to` is now.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained`, `not_supported` (output bucket)
 */
export async function planEvaluation(
  deps: PlanDeps,
  { row, params, nowAt }: JobRequest,
): Promise<Submission> {
  const version = requireVersion(row);
  const settings = effectiveSettings(settingsOf(row), version.settings);
  const { range } = resolveRange(settings, params, { nowAt, cap: deps.limits.valuesPerEvaluation });
  const detectAnomalies = parseFlag(params, "detect_anomalies") || parseFlag(params, "flag_abnormal_data");
  const level = parseLevel(params);
  const batch = parseMode(params) === "batch";
  const places = await resolveBuckets(deps, settings, params);
  const input: PredictJob = {
    model: row.name,
    settings,
    version: version.name,
    range,
    level,
    detectAnomalies,
    ...(batch && { batch }),
    ...parseRecord(params),
    ...places,
  };
  return { type: "prediction", model: row.name, input };
}

/** `record` and `hooks`. @throws TorusError `invalid` for hooks without a record */
export function parseRecord(params: Params): { record?: RecordTarget } {
  const hooks = parseFlag(params, "hooks");
  if (parseFlag(params, "record")) return { record: { hooks } };
  if (hooks) throw invalid("hooks", "are called for anomalies that are kept: give record=true, too");
  return {};
}

/** `causal`: a score knows the past only, as in live; `batch`: it also knows what came later. */
function parseMode(params: Params): "causal" | "batch" {
  const mode = given(params, "mode") ?? "causal";
  if (mode !== "causal" && mode !== "batch") throw invalid("mode", "must be causal or batch");
  return mode;
}

/** Settings of a stored model: they were checked when they were written. */
export function settingsOf(row: ModelRow): ModelSettings {
  return row.settings;
}

function requireVersion(row: ModelRow): NonNullable<ModelRow["version"]> {
  if (row.version) return row.version;
  throw new TorusError("not_trained", `model ${row.name} is not trained: train it first`);
}

/** Of an interval that is still to be chosen it is known how long it may become: a range too long for that is refused. */
function placeTraining(
  settings: ModelSettings,
  params: Params,
  { nowAt, cap }: { nowAt: number; cap: number },
): Range {
  if (!isAutoInterval(settings)) {
    const { range, intervals } = resolveRange(settings, params, { nowAt, cap });
    refuseShort(settings, intervals);
    return range;
  }
  const range = parseRange(params, { nowAt });
  measureRange(range, { intervalMs: LONGEST_INTERVAL_MS, width: settings.features.length, cap });
  return range;
}

function resolveRange(
  settings: ModelSettings,
  params: Params,
  { cap, ...defaults }: RangeDefaults & { cap: number },
): { range: Range; intervals: number } {
  const range = parseRange(params, defaults);
  const intervalMs = bucketIntervalOf(settings);
  return { range, intervals: measureRange(range, { intervalMs, width: settings.features.length, cap }) };
}

/**
 * What can be known before anything is read: a range shorter than one window trains nothing.
 * @throws TorusError `too_little_data`
 */
export function refuseShort({ span, min_span }: ModelSettings, intervals: number, what = "the range"): void {
  const needed = typeof span === "number" ? span : (min_span ?? 1);
  if (intervals >= needed) return;
  const message = `${what} has ${intervals} intervals, the span needs at least ${needed}: choose an earlier from`;
  throw new TorusError("too_little_data", message, { found: intervals, needed });
}

/** Where to read from and, with `save_output_data`, where to write to. @throws TorusError `invalid`, `not_found`, `not_supported` */
export async function resolveBuckets(
  deps: PlanDeps,
  settings: ModelSettings,
  params: Params,
): Promise<{ bucket: string; save?: SaveTarget }> {
  const bucket = await chooseBucket(deps, settings, params);
  if (!parseFlag(params, "save_output_data")) return { bucket };
  const target = parseName(params, "output_bucket") ?? bucket;
  const { write } = await deps.openBucket(target);
  if (!write)
    throw new TorusError("not_supported", `bucket ${target} is read-only: choose another output_bucket`);
  return { bucket, save: { bucket: target } };
}

/**
 * The bucket to read from: `input_bucket`, or its short form `input`, or the model's own; all that will be read must
 * exist and know the metrics.
 */
export async function chooseBucket(
  { store }: PlanDeps,
  settings: ModelSettings,
  params: Params,
): Promise<string> {
  const wanted = parseName(params, "input_bucket") ?? parseName(params, "input") ?? bucketOf(settings);
  const names = settings.features.map((feature) => bucketOfFeature(feature, wanted));
  if (names.includes(undefined))
    throw invalid("input_bucket", "is required: the model has no default_bucket");
  for (const [index, feature] of settings.features.entries()) {
    const { settings: bucket } = await loadBucket(store, names[index]!);
    checkSource(bucket, feature, `features.${index}`);
  }
  return wanted ?? names[0]!;
}
