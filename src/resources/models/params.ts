// Request parameters of trainings, forecasts and evaluations, except for the range.
import { invalid } from "../../core/errors.ts";
import { parseBoolean, parseInteger, parseNumber } from "../../core/input/value.ts";
import { parseSeries, requireGroupBy, type SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Constraint, ForecastJob, PredictJob, RecordTarget, TrainJob } from "../../jobs/queue/input.ts";
import { DEFAULT_LEVEL } from "../../models/stats/normal.ts";
import { given, type Params } from "../shared/range.ts";

const MAX_LEVELS = 10;
const MAX_NAME = 256;
const MAX_EPOCHS = 100_000;
const MAX_SEED = 2 ** 32 - 1;

/** Parsed parameters of a training. */
type TrainRequest = Omit<TrainJob["overrides"], "continueFrom" | "guard">;
/** Parsed parameters of a forecast. */
type ForecastRequest = Pick<ForecastJob, "level" | "levels" | "constraint">;
/** Parsed parameters of an evaluation. */
type EvaluationRequest = Pick<PredictJob, "level" | "detectAnomalies" | "batch" | "record" | "showsLive">;

/** A boolean parameter; absent: false. @throws TorusError `invalid` */
export function parseFlag(params: Params, key: string): boolean {
  const value = given(params, key);
  return value === undefined ? false : parseBoolean(value, key);
}

/** A name; absent: undefined. @throws TorusError `invalid` */
export function parseName(params: Params, key: string): string | undefined {
  const value = given(params, key);
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.length > MAX_NAME)
    throw invalid(key, `must be a name of at most ${MAX_NAME} characters`);
  return value;
}

/**
 * `series`: one series of a fleet, as in `host:a,cpu:0`.
 * @throws TorusError `invalid`, `not_supported` for a model without `group_by`
 */
export function parseSeriesParam(
  settings: Pick<ModelSettings, "name" | "group_by">,
  params: Params,
): { readonly series?: SeriesTags } {
  const text = given(params, "series");
  return text === undefined ? {} : { series: parseSeries(String(text), requireGroupBy(settings)) };
}

/** Most series of one prediction, and those of one without `per_page`. */
export const MAX_SERIES_PAGE = 100;
const SERIES_PAGE = 10;

/**
 * What to predict: `series`, one series of a fleet; without it a page of them; nothing of a model of one series.
 * @throws TorusError `invalid`, `not_supported` for a series of a model without `group_by`
 */
export function parseSubject(
  settings: Pick<ModelSettings, "name" | "group_by">,
  params: Params,
): Pick<ForecastJob, "series" | "page"> {
  const { series } = parseSeriesParam(settings, params);
  if (series) return { series };
  if (!settings.group_by) return {};
  const number = parseInteger(given(params, "page") ?? 0, "page", { min: 0 });
  const limits = { min: 1, max: MAX_SERIES_PAGE };
  const size = parseInteger(given(params, "per_page") ?? SERIES_PAGE, "per_page", limits);
  return { page: { number, size } };
}

/** `max_evals`, `epochs` and `seed`. @throws TorusError `invalid` */
export function parseTrainRequest(params: Params): TrainRequest {
  const integer = (key: string, max: number, min = 1) => {
    const value = given(params, key);
    return value === undefined ? undefined : parseInteger(value, key, { min, max });
  };
  const maxEvals = integer("max_evals", 1000);
  const epochs = integer("epochs", MAX_EPOCHS);
  const seed = integer("seed", MAX_SEED, 0);
  return {
    ...(maxEvals !== undefined && { maxEvals }),
    ...(epochs !== undefined && { epochs }),
    ...(seed !== undefined && { seed }),
  };
}

/**
 * `p_val`, `level` and `constraint`.
 * @param features names of the model's features
 * @throws TorusError `invalid`
 */
export function parseForecastRequest(params: Params, features: readonly string[]): ForecastRequest {
  const constraint = parseConstraint(params, features);
  return { level: parseLevel(params), levels: parseLevels(params), ...(constraint && { constraint }) };
}

/**
 * `detect_anomalies` (or `flag_abnormal_data`), `p_val`, `mode`, `live_scores`, `record` and `hooks`. Recorded live
 * scores belong to the model's own bucket and to scores from the past; anomalies to record are evaluated anew.
 * @throws TorusError `invalid`
 */
export function parseEvaluationRequest(params: Params): EvaluationRequest {
  const detectAnomalies = parseDetect(params);
  const level = given(params, "p_val") === undefined ? undefined : parseLevel(params);
  const batch = parseMode(params) === "batch";
  const record = parseRecord(params);
  const hasOtherBucket = (given(params, "input_bucket") ?? given(params, "input")) !== undefined;
  const isFresh = given(params, "live_scores") !== undefined && !parseFlag(params, "live_scores");
  const showsLive = !batch && !record.record && !hasOtherBucket && !isFresh;
  return {
    ...(level !== undefined && { level }),
    detectAnomalies,
    ...(batch && { batch }),
    ...(showsLive && { showsLive }),
    ...record,
  };
}

/** `detect_anomalies`, or its old name `flag_abnormal_data`. @throws TorusError `invalid` */
export function parseDetect(params: Params): boolean {
  return parseFlag(params, "detect_anomalies") || parseFlag(params, "flag_abnormal_data");
}

/** `record` and `hooks`. @throws TorusError `invalid` for hooks without a record */
export function parseRecord(params: Params): { record?: RecordTarget } {
  const hooks = parseFlag(params, "hooks");
  if (parseFlag(params, "record")) return { record: { hooks } };
  if (hooks) throw invalid("hooks", "are called for anomalies that are kept: give record=true, too");
  return {};
}

/** `causal` scores with past values only, as live detection does; `batch` with later values too. */
function parseMode(params: Params): "causal" | "batch" {
  const mode = given(params, "mode") ?? "causal";
  if (mode !== "causal" && mode !== "batch") throw invalid("mode", "must be causal or batch");
  return mode;
}

/** `p_val`: confidence of the interval, between 0 and 1. @throws TorusError `invalid` */
export function parseLevel(params: Params): number {
  const value = given(params, "p_val");
  if (value === undefined) return DEFAULT_LEVEL;
  const level = parseNumber(value, "p_val");
  if (level <= 0 || level >= 1) throw invalid("p_val", "must be between 0 and 1, as in 0.95");
  return level;
}

/** `level=80;95`, or a number or an array of numbers, in percent. @returns shares, 0..1. @throws TorusError `invalid` */
export function parseLevels(params: Params): number[] {
  const value = given(params, "level");
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(";") : [value];
  if (list.length > MAX_LEVELS) throw invalid("level", `must be at most ${MAX_LEVELS} levels`);
  const percents = list.map((item) => {
    const percent = parseNumber(item, "level");
    if (percent <= 0 || percent >= 100) throw invalid("level", "must be between 0 and 100, as in 80;95");
    return percent;
  });
  return [...new Set(percents)].map((percent) => percent / 100);
}

/** `constraint=<feature>:low|high:<number>`. @throws TorusError `invalid` */
export function parseConstraint(params: Params, features: readonly string[]): Constraint | undefined {
  const value = given(params, "constraint");
  if (value === undefined) return undefined;
  const [feature, type, threshold, ...rest] = typeof value === "string" ? value.split(":") : [];
  if (
    feature === undefined ||
    (type !== "low" && type !== "high") ||
    threshold === undefined ||
    rest.length > 0
  )
    throw invalid("constraint", "must be <feature>:low:<number> or <feature>:high:<number>");
  if (!features.includes(feature))
    throw invalid("constraint", `names no feature of the model; it has ${features.join(", ")}`);
  return { feature, type, threshold: parseNumber(threshold, "constraint") };
}
