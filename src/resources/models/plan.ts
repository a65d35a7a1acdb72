// Plans of trainings, forecasts and evaluations: a request becomes a job; all of it is checked first.
import { checkSource } from "../../buckets/index.ts";
import type { Bucket } from "../../buckets/kind.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import type { JobType } from "../../core/job.ts";
import { bucketIntervalOf, isAutoInterval } from "../../core/model/bucket-interval.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import type { Range } from "../../core/series/grid.ts";
import { MAX_INTERVAL_MS } from "../../core/series/interval-detection.ts";
import { DAY_MS } from "../../core/time/time.ts";
import type { ForecastJob, PredictJob, TrainJob } from "../../jobs/queue/input.ts";
import type { Submission } from "../../jobs/queue/queue.ts";
import { type StoredSettings, storedSettings } from "../../live/stored-settings.ts";
import type { SaveTarget } from "../../points/save.ts";
import { loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import type { ModelRow } from "../../store/models.ts";
import { type Limits, measureRange, type Params, parseRange, type RangeDefaults } from "../shared/range.ts";
import {
  parseEvaluationRequest,
  parseFlag,
  parseForecastRequest,
  parseName,
  parseSubject,
  parseTrainRequest,
  refuseSeries,
} from "./params.ts";
import { bucketOfFeature, keepInterval } from "./settings.ts";

export interface PlanDeps {
  readonly store: Store;
  readonly limits: Limits;
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
}

/** A client's request for a job of a model. */
export interface JobRequest {
  readonly row: ModelRow;
  readonly params: Params;
  /** ms since the epoch. */
  readonly nowAt: number;
}

/** A submission of a known input. */
interface Planned<Type extends JobType, Input> {
  readonly type: Type;
  readonly model: string;
  readonly input: Input;
}

/**
 * A training. `from` is required, `to` defaults to now.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained` (to continue), `too_little_data`
 */
export async function planTraining(deps: PlanDeps, { row, params, nowAt }: JobRequest): Promise<Submission> {
  refuseSeries(params, "a training");
  const from = parseFlag(params, "continue") ? requireVersion(row) : undefined;
  const settings = keepInterval(row.settings, from?.settings);
  const range = resolveTrainingRange(settings, params, { nowAt, cap: deps.limits.valuesPerRead });
  const overrides: TrainJob["overrides"] = {
    ...parseTrainRequest(params),
    ...(from && { continueFrom: from.name }),
    ...(parseFlag(params, "guard") && { guard: true }),
  };
  const bucket = await chooseBucket(deps, settings, params);
  const input: TrainJob = { model: row.name, settings, bucket, range, overrides };
  return { type: "training", model: row.name, input };
}

/**
 * A forecast. `from` defaults to now; `to` to the model's `forecast` intervals later, or a day.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained`, `not_supported` (output bucket, series)
 */
export async function planForecast(
  deps: PlanDeps,
  { row, params, nowAt }: JobRequest,
): Promise<Planned<"forecast", ForecastJob>> {
  const { settings, intervalMs, subject, answering } = readSubject(row, params);
  const horizonMs = typeof settings.forecast === "number" ? settings.forecast * intervalMs : DAY_MS;
  const { range } = resolveRange({ settings, intervalMs }, params, {
    nowAt,
    fromAt: nowAt,
    endOf: (fromAt) => fromAt + Math.max(horizonMs, intervalMs),
    cap: deps.limits.valuesPerForecast,
    subject,
  });
  const names = settings.features.map(({ name }) => name);
  const request = parseForecastRequest(params, names);
  const buckets = await resolveBuckets(deps, settings, params);
  const input: ForecastJob = { ...answering, range, ...request, ...buckets };
  return { type: "forecast", model: row.name, input };
}

/**
 * An evaluation of known data. `from` is required, `to` defaults to now.
 * @throws TorusError `invalid`, `not_found` (bucket), `not_trained`, `not_supported` (output bucket, series)
 */
export async function planEvaluation(
  deps: PlanDeps,
  { row, params, nowAt }: JobRequest,
): Promise<Planned<"prediction", PredictJob>> {
  const { settings, intervalMs, subject, answering } = readSubject(row, params);
  const { range } = resolveRange({ settings, intervalMs }, params, {
    nowAt,
    cap: deps.limits.valuesPerEvaluation,
    subject,
  });
  const request = parseEvaluationRequest(params);
  const buckets = await resolveBuckets(deps, settings, params);
  const input: PredictJob = { ...answering, range, ...request, ...buckets };
  return { type: "prediction", model: row.name, input };
}

/** The version of a model that answers, and the series that it answers for. */
function readSubject(row: ModelRow, params: Params) {
  const version = requireVersion(row);
  const { settings, intervalMs } = storedSettings(row);
  const subject = parseSubject(settings, params);
  const answering = { model: row.name, settings, version: version.name, ...subject };
  return { settings, intervalMs, subject, answering };
}

function requireVersion(row: ModelRow): NonNullable<ModelRow["version"]> {
  if (row.version) return row.version;
  throw new TorusError("not_trained", `model ${row.name} is not trained: train it first`);
}

type Subject = ReturnType<typeof parseSubject>;

/** An `auto` interval is not chosen yet: the range is checked against the longest one possible. */
function resolveTrainingRange(
  settings: ModelSettings,
  params: Params,
  { nowAt, cap }: { nowAt: number; cap: number },
): Range {
  if (!isAutoInterval(settings)) {
    const intervalMs = bucketIntervalOf(settings);
    const { range, intervals } = resolveRange({ settings, intervalMs }, params, { nowAt, cap });
    assertSpan(settings, intervals);
    return range;
  }
  const range = parseRange(params, { nowAt });
  measureRange(range, { intervalMs: MAX_INTERVAL_MS, width: settings.features.length, cap });
  return range;
}

function resolveRange(
  { settings, intervalMs }: Pick<StoredSettings, "settings" | "intervalMs">,
  params: Params,
  { cap, subject = {}, ...defaults }: RangeDefaults & { cap: number; subject?: Subject },
): { range: Range; intervals: number } {
  const range = parseRange(params, defaults);
  const { page } = subject;
  const width = settings.features.length * (page?.size ?? 1);
  const way = page && "choose a shorter one, a smaller per_page, or one series";
  return { range, intervals: measureRange(range, { intervalMs, width, cap, way }) };
}

/**
 * Refuses a range shorter than one window before anything is read.
 * @throws TorusError `too_little_data`
 */
export function assertSpan({ span, min_span }: ModelSettings, intervals: number, what = "the range"): void {
  const needed = typeof span === "number" ? span : (min_span ?? 1);
  if (intervals >= needed) return;
  const message = `${what} has ${intervals} intervals, the span needs at least ${needed}: choose an earlier from`;
  throw new TorusError("too_little_data", message, { found: intervals, needed });
}

/**
 * The bucket to read from and, with `save_output_data`, the bucket to write to.
 * @throws TorusError `invalid`, `not_found`, `not_supported`
 */
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
 * The bucket to read from: `input_bucket`, or its short form `input`, or the model's own. The buckets of all features
 * must exist and support their metrics.
 * @throws TorusError `invalid`, `not_found`
 */
export async function chooseBucket(
  { store }: PlanDeps,
  settings: ModelSettings,
  params: Params,
): Promise<string> {
  const requested = parseName(params, "input_bucket") ?? parseName(params, "input") ?? bucketOf(settings);
  const own = [...settings.features.entries()].filter(([, { budget }]) => !budget);
  const names = own.map(([, feature]) => bucketOfFeature(feature, requested));
  if (names.includes(undefined))
    throw invalid("input_bucket", "is required: the model has no default_bucket");
  for (const [i, [index, feature]] of own.entries()) {
    const { settings: bucket } = await loadBucket(store, names[i]!);
    checkSource(bucket, feature, `features.${index}`);
  }
  return requested ?? names[0]!;
}
