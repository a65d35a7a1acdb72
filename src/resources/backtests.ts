// Backtests: from a wish to the job that trains on a part of the past and looks for anomalies in the rest.
import { completeThresholds } from "../core/anomaly/thresholds.ts";
import { invalid } from "../core/errors.ts";
import { parseNumber } from "../core/input/value.ts";
import { bucketIntervalOf } from "../core/model/bucket-interval.ts";
import { type ModelSettings, thresholdsOf } from "../core/model/model.ts";
import { completeRange, countIntervals, floorTo, type Range } from "../core/series/grid.ts";
import { parseDate } from "../core/time/time.ts";
import type { BacktestJob } from "../jobs/queue/input.ts";
import type { Queue, SubmitOptions } from "../jobs/queue/queue.ts";
import { thresholdsInForce } from "../models/scoring/detect.ts";
import type { Clock } from "../runtime/clock.ts";
import { loadBucket } from "../store/buckets.ts";
import { loadModel } from "../store/models.ts";
import { parseLabels } from "./backtests/labels.ts";
import { parseFlag, parseOverrides } from "./models/params.ts";
import {
  chooseBucket,
  type JobRequest,
  type PlanDeps,
  parseRecord,
  refuseShort,
  settingsOf,
} from "./models/plan.ts";
import { keepInterval } from "./models/settings.ts";
import { given, measureRange, type Params, parseRange } from "./shared/range.ts";

const DEFAULT_SHARE = 0.5;
/** As automatic thresholds do. */
const DEFAULT_FALSE_ALARMS = 0.5;
const MAX_FALSE_ALARMS = 1000;

export interface BacktestDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit">;
  readonly clock: Pick<Clock, "now">;
}

export class Backtests {
  constructor(private readonly deps: BacktestDeps) {}

  /**
   * Submits a backtest. The model may be untrained, in training or live: nothing of it changes.
   * @throws TorusError `not_found`, `invalid`, `too_little_data`, `overloaded`
   */
  async submit(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const row = await loadModel(this.deps.store, name);
    const input = await planBacktest(this.deps, { row, params, nowAt: this.deps.clock.now() });
    const [jobId] = await this.deps.queue.submit({ type: "backtest", model: name, input, ...options });
    return { jobId: jobId! };
  }
}

async function planBacktest(deps: PlanDeps, { row, params, nowAt }: JobRequest): Promise<BacktestJob> {
  const current = keepInterval(settingsOf(row), row.version?.settings);
  const settings = { ...current, ...parseThresholds(params, current) };
  const parts = placeParts(deps, { settings, params, nowAt });
  const { evaluated } = parts;
  const bucket = await chooseBucket(deps, settings, params);
  const labels = parseLabels(params, { evaluated, nowAt, bucket });
  if (labels && "field" in labels) await loadBucket(deps.store, labels.bucket);
  return {
    model: row.name,
    settings,
    bucket,
    ...parts,
    overrides: parseOverrides(params),
    ...(labels && { labels }),
    falseAlarmsPerWeek: parseFalseAlarms(params),
    includeScores: parseFlag(params, "include_scores"),
    ...parseRecord(params),
  };
}

interface Place {
  readonly settings: ModelSettings;
  readonly params: Params;
  readonly nowAt: number;
}

/** The range, without the interval that is still filling up, cut in two. */
function placeParts(
  { limits }: PlanDeps,
  { settings, params, nowAt }: Place,
): Pick<BacktestJob, "trained" | "evaluated" | "trainShare"> {
  const intervalMs = bucketIntervalOf(settings);
  const asked = parseRange(params, { nowAt });
  measureRange(asked, { intervalMs, width: settings.features.length, cap: limits.valuesPerRead });
  const whole = completeRange(asked, intervalMs, nowAt);
  const share = findShare(params);
  const splitAt = findSplit(params, whole, { intervalMs, nowAt, share });
  const trained = { fromAt: whole.fromAt, toAt: splitAt };
  refuseShort(settings, countIntervals(trained, intervalMs), "the part to train on");
  const evaluated = { fromAt: splitAt, toAt: whole.toAt };
  return { trained, evaluated, ...(share !== undefined && { trainShare: share }) };
}

/** `train_share`; undefined where `train_to` takes its place. */
function findShare(params: Params): number | undefined {
  const share = given(params, "train_share");
  if (given(params, "train_to") === undefined) return parseShare(share);
  if (share === undefined) return undefined;
  throw invalid("train_share", "must not be given beside train_to: choose one of them");
}

/** End of the trained part: `train_to`, or a share of the range. */
function findSplit(
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

function parseShare(value: unknown): number {
  if (value === undefined) return DEFAULT_SHARE;
  const share = parseNumber(value, "train_share");
  if (share <= 0 || share >= 1) throw invalid("train_share", "must be between 0 and 1, as in 0.5");
  return share;
}

/**
 * `max_threshold` and `min_threshold` in place of the model's; what is not given is completed from those in force,
 * and 0 means automatic, as in a model.
 */
function parseThresholds(
  params: Params,
  model: ModelSettings,
): Pick<ModelSettings, "max_threshold" | "min_threshold"> {
  const read = (key: string) => {
    const value = given(params, key);
    return value === undefined ? undefined : parseNumber(value, key, { min: 0, max: 100 });
  };
  const [max, min] = [read("max_threshold"), read("min_threshold")];
  if (max === undefined && min === undefined) return {};
  const said = { max: max ?? thresholdsOf(model)?.max, min };
  const wanted = completeThresholds(said, thresholdsInForce(model));
  if (wanted.max > 0 && wanted.min > wanted.max)
    throw invalid("min_threshold", `must not be above max_threshold (${wanted.max})`);
  return { max_threshold: wanted.max, min_threshold: wanted.min };
}

/** `expected_false_alarms`: per week. */
function parseFalseAlarms(params: Params): number {
  const value = given(params, "expected_false_alarms");
  if (value === undefined) return DEFAULT_FALSE_ALARMS;
  const wanted = parseNumber(value, "expected_false_alarms", { max: MAX_FALSE_ALARMS });
  if (wanted <= 0) throw invalid("expected_false_alarms", "must be above 0, as in 0.5 per week");
  return wanted;
}
