// Plan of a backtest: the job that trains on a part of the past and detects anomalies in the rest.
import { completeThresholds } from "../../core/anomaly/state.ts";
import { invalid } from "../../core/errors.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { withSharingSeries } from "../../core/model/effective-settings.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import { completeRange, countIntervals, floorTo, type Range } from "../../core/series/grid.ts";
import { parseDate } from "../../core/time/time.ts";
import type { BacktestJob } from "../../jobs/queue/input.ts";
import { effectiveThresholds } from "../../models/scoring/detect.ts";
import { DEFAULT_FALSE_ALARMS } from "../../models/scoring/score.ts";
import { loadBucket } from "../../store/buckets.ts";
import { parseFlag, parseRecord, parseSeriesParam, parseTrainRequest } from "../models/params.ts";
import { assertSpan, chooseBucket, type JobRequest, type PlanDeps } from "../models/plan.ts";
import { keepInterval } from "../models/settings.ts";
import { given, givenNumber, measureRange, type Params, parseRange } from "../shared/range.ts";
import { parseLabels } from "./labels.ts";
import { backtestParameters } from "./request.ts";

const DEFAULT_TRAIN_SHARE = 0.5;

/**
 * Checks the request, resolves its range, and splits that in two.
 * @throws TorusError `not_found`, `invalid`, `not_supported`, `too_little_data`
 */
export async function planBacktest(deps: PlanDeps, { row, params, nowAt }: JobRequest): Promise<BacktestJob> {
  const subject = requireSeries(row.settings, params);
  const { version } = row;
  const own = keepInterval(row.settings, version?.settings);
  const current = version ? withSharingSeries(own, version.summary) : own;
  const settings = { ...current, ...parseThresholds(params, current) };
  const parts = splitRange(deps, { settings, params, nowAt });
  const { evaluated } = parts;
  const bucket = await chooseBucket(deps, settings, params);
  const labels = parseLabels(params, { evaluated, nowAt, bucket });
  if (labels && "field" in labels) await loadBucket(deps.store, labels.bucket);
  return {
    model: row.name,
    ...subject,
    settings,
    bucket,
    ...parts,
    overrides: parseTrainRequest(params),
    ...(labels && { labels }),
    falseAlarmsPerWeek:
      givenNumber(backtestParameters, params, "expected_false_alarms") ?? DEFAULT_FALSE_ALARMS,
    includeScores: parseFlag(params, "include_scores"),
    ...parseRecord(params),
  };
}

/** Of a fleet the series to test: its training would take as long as that of all. */
function requireSeries(settings: ModelSettings, params: Params): Pick<BacktestJob, "series"> {
  const subject = parseSeriesParam(settings, params);
  const { group_by: tags } = settings;
  if (!tags || subject.series) return subject;
  const example = tags.map((tag) => `${tag}:...`).join(",");
  throw invalid("series", `is required: a backtest is of one series of the model, as in ${example}`);
}

interface SplitInput {
  readonly settings: ModelSettings;
  readonly params: Params;
  readonly nowAt: number;
}

/** Splits the range in two, without the incomplete interval at its end. */
function splitRange(
  { limits }: PlanDeps,
  { settings, params, nowAt }: SplitInput,
): Pick<BacktestJob, "trained" | "evaluated" | "trainShare"> {
  const intervalMs = bucketIntervalOf(settings);
  const requested = parseRange(params, { nowAt });
  measureRange(requested, { intervalMs, width: settings.features.length, cap: limits.valuesPerRead });
  const whole = completeRange(requested, intervalMs, nowAt);
  const share = parseTrainShare(params);
  const splitAt = findSplitAt(params, whole, { intervalMs, nowAt, share });
  const trained = { fromAt: whole.fromAt, toAt: splitAt };
  assertSpan(settings, countIntervals(trained, intervalMs), "the part to train on");
  const evaluated = { fromAt: splitAt, toAt: whole.toAt };
  return { trained, evaluated, ...(share !== undefined && { trainShare: share }) };
}

/** `train_share`; undefined if `train_to` is given instead. */
function parseTrainShare(params: Params): number | undefined {
  const share = givenNumber(backtestParameters, params, "train_share");
  if (given(params, "train_to") === undefined) return share ?? DEFAULT_TRAIN_SHARE;
  if (share === undefined) return undefined;
  throw invalid("train_share", "must not be given beside train_to: choose one of them");
}

/** End of the trained part in ms: `train_to`, or a share of the range. */
function findSplitAt(
  params: Params,
  whole: Range,
  { intervalMs, nowAt, share }: { intervalMs: number; nowAt: number; share: number | undefined },
): number {
  const splitAt =
    share === undefined
      ? floorTo(parseDate(given(params, "train_to"), nowAt, "train_to"), intervalMs)
      : whole.fromAt + Math.round(countIntervals(whole, intervalMs) * share) * intervalMs;
  if (splitAt <= whole.fromAt || splitAt >= whole.toAt)
    throw invalid(
      share === undefined ? "train_to" : "train_share",
      "must leave at least one interval to train on and one to evaluate",
    );
  return splitAt;
}

/**
 * `max_threshold` and `min_threshold` in place of the model's. A missing one is completed from the effective
 * thresholds; 0 means automatic, as in a model.
 */
function parseThresholds(
  params: Params,
  model: ModelSettings,
): Pick<ModelSettings, "max_threshold" | "min_threshold"> {
  const max = givenNumber(backtestParameters, params, "max_threshold");
  const min = givenNumber(backtestParameters, params, "min_threshold");
  if (max === undefined && min === undefined) return {};
  const requested = { max: max ?? thresholdsOf(model)?.max, min };
  const thresholds = completeThresholds(requested, effectiveThresholds(model));
  if (thresholds.max > 0 && thresholds.min > thresholds.max)
    throw invalid("min_threshold", `must not be above max_threshold (${thresholds.max})`);
  return { max_threshold: thresholds.max, min_threshold: thresholds.min };
}
