// Request parameters of trainings, forecasts and evaluations, except for the range.
import { invalid } from "../../core/errors.ts";
import { parseBySchema } from "../../core/input/schema-number.ts";
import { parseBoolean, parseNumber } from "../../core/input/value.ts";
import { parseSeries, requireGroupBy, type SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Constraint, ForecastJob, PredictJob, RecordTarget, TrainJob } from "../../jobs/queue/input.ts";
import { DEFAULT_LEVEL } from "../../models/stats/normal.ts";
import { given, givenNumber, type Params } from "../shared/range.ts";
import { forecastParameters, modes, Percent, predictParameters, trainParameters } from "./request.ts";

const MAX_LEVELS = 10;
const MAX_NAME = 256;
/** Series of a prediction without `per_page`. */
const SERIES_PAGE = 10;

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

/** @throws TorusError `invalid` for `series` where all series of the model are meant */
export function refuseSeries(params: Params, work: string): void {
  if (given(params, "series") !== undefined)
    throw invalid("series", `must be left out: ${work} is of all series of a model`);
}

/**
 * Series to predict: one by `series`, else a page of them; none of a model without `group_by`.
 * @throws TorusError `invalid`, `not_supported` for a series of a model without `group_by`
 */
export function parseSubject(
  settings: Pick<ModelSettings, "name" | "group_by">,
  params: Params,
): Pick<ForecastJob, "series" | "page"> {
  const { series } = parseSeriesParam(settings, params);
  if (series) return { series };
  if (!settings.group_by) return {};
  const number = givenNumber(predictParameters, params, "page") ?? 0;
  const size = givenNumber(predictParameters, params, "per_page") ?? SERIES_PAGE;
  return { page: { number, size } };
}

/** `max_evals`, `epochs` and `seed`. @throws TorusError `invalid` */
export function parseTrainRequest(params: Params): TrainRequest {
  const maxEvals = givenNumber(trainParameters, params, "max_evals");
  const epochs = givenNumber(trainParameters, params, "epochs");
  const seed = givenNumber(trainParameters, params, "seed");
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
function parseMode(params: Params): (typeof modes)[number] {
  const value = given(params, "mode") ?? "causal";
  const mode = modes.find((each) => each === value);
  if (!mode) throw invalid("mode", `must be ${modes.join(" or ")}`);
  return mode;
}

/** `p_val`: confidence of the interval, between 0 and 1. @throws TorusError `invalid` */
export function parseLevel(params: Params): number {
  return givenNumber(forecastParameters, params, "p_val") ?? DEFAULT_LEVEL;
}

/** `level=80;95`, or a number or an array of numbers, in percent. @returns shares, 0..1. @throws TorusError `invalid` */
export function parseLevels(params: Params): number[] {
  const value = given(params, "level");
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(";") : [value];
  if (list.length > MAX_LEVELS) throw invalid("level", `must be at most ${MAX_LEVELS} levels`);
  const percents = list.map((item) => parseBySchema(Percent, item, "level"));
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
