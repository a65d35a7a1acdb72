// Job `backtest`: trains on the first part of a range and runs detection on the rest.
import type { ScoreSeries } from "../../core/anomaly/episode.ts";
import type { Thresholds } from "../../core/anomaly/state.ts";
import {
  type SweepOutcome,
  suggestThresholds,
  sweptThresholds,
  tryThresholds,
  weeksOf,
} from "../../core/anomaly/threshold-sweep.ts";
import type { TrainingMarks } from "../../core/anomaly/training-marks.ts";
import { reportPart } from "../../core/job.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { countIntervals, type Grid, type Range, sliceGrid } from "../../core/series/grid.ts";
import { withUnits } from "../../metrics/units.ts";
import type { Context, Evaluation, TrainedModel } from "../../models/kind.ts";
import { rulesOf } from "../../models/scoring/detect.ts";
import { startScoresOf } from "../../models/scoring/start-scores.ts";
import { trimToExtent } from "../../models/stats/extent.ts";
import { noData, readFeatures, readUnits } from "../../points/features.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import type { BacktestJob } from "../queue/input.ts";
import { onLane } from "../workers/pool.ts";
import { type Backtest, type Sweep, viewBacktest } from "./backtest-result.ts";
import { loadFeedback, loadKnownEvents, loadMarks } from "./feedback.ts";
import { loadLabels } from "./labels.ts";

/** Share of the progress that the training takes. */
const TRAINING_SHARE = 0.9;

/**
 * Makes the handler. It throws TorusError `no_data` if no points or no labels are found, `too_little_data`
 * if the part to train on is too short, `not_found`, `bucket_*`, `worker_crashed`, `canceled`.
 */
export function backtestHandler(deps: HandlerDeps): Handler<"backtest"> {
  return async ({ input }, { signal, onProgress }) => {
    const { grid, trained, evaluated } = await readParts(deps, input, signal);
    // Read before the training, so that a wrong field fails early.
    const truth = await loadTruth(deps, input, evaluated, signal);
    // Anomalies before the split are marks for the training, later ones the labels of the evaluation.
    const marks = await loadMarks(deps.store, input, trained);
    const split = countIntervals(trained, grid.intervalMs);
    const context = {
      compute: onLane(deps.compute, "training"),
      signal,
      onProgress: reportPart(onProgress, { from: 0, to: TRAINING_SHARE }),
    };
    const { model, evaluation } = await trainAndEvaluate(deps, { input, grid, split, marks }, context);
    const observed = sliceGrid(grid, split, grid.length);
    const rules = rulesOf(input.settings);
    const known = await loadKnownEvents(deps.store, input, evaluated);
    const backtest: Backtest = {
      parts: { trained, evaluated },
      summary: model.summary,
      evaluation,
      observed,
      series: await scoreSeriesOf(evaluation, observed, { guards: rules.guards, known, signal }),
      rules,
      marks,
      ...truth,
    };
    const sweep = await sweepThresholds(backtest, input.falseAlarmsPerWeek, signal);
    const view = viewBacktest(backtest, sweep, { includeScores: input.includeScores });
    if (!input.record) return { result: view };
    return { result: { ...view, recorded: await record(deps, input, backtest, signal) } };
  };
}

/** The labels of the evaluated part: those of the request, or feedback on anomalies. */
async function loadTruth(
  { openBucket, store }: HandlerDeps,
  input: BacktestJob,
  range: Range,
  signal: AbortSignal,
): Promise<Pick<Backtest, "labels" | "labelSource">> {
  const intervalMs = bucketIntervalOf(input.settings);
  const read = { labels: labelsWithin(input.labels, range), range, intervalMs, series: input.series };
  const given = await loadLabels(openBucket, read, signal);
  const labels = given ?? (await loadFeedback(store, input, range));
  return { ...(labels && { labels }), labelSource: given ? "given" : "feedback" };
}

/** Records the anomalies of the evaluated part. */
async function record(
  { openBucket, recordPast }: HandlerDeps,
  { model, settings, series, bucket, record }: BacktestJob,
  { evaluation, observed }: Backtest,
  signal: AbortSignal,
) {
  const units = await readUnits(openBucket, { features: settings.features, bucket }, signal);
  const past = {
    model,
    ...(series && { series }),
    settings: withUnits(settings, units),
    evaluation,
    observed,
    origin: "backtest",
    ...record!,
  } as const;
  return recordPast(past, signal);
}

/** @throws TorusError `canceled` */
async function scoreSeriesOf(
  evaluation: Evaluation,
  observed: Grid,
  options: Parameters<typeof startScoresOf>[2],
): Promise<ScoreSeries> {
  const { startAt, intervalMs } = observed;
  const startScores = await startScoresOf(evaluation, observed, options);
  const scores = Float64Array.from(evaluation.scores, ({ score }) => score ?? Number.NaN);
  return { startAt, intervalMs, scores, ...(startScores && { startScores }) };
}

interface ReadParts {
  /** Both parts, from the first to the last point. */
  readonly grid: Grid;
  readonly trained: Range;
  readonly evaluated: Range;
}

/** Reads both parts; `trainShare` is a share of the extent of the points. @throws TorusError `no_data`, `not_found`, `bucket_*` */
async function readParts(
  { openBucket }: HandlerDeps,
  { settings, series, bucket, trained, evaluated, trainShare }: BacktestJob,
  signal: AbortSignal,
): Promise<ReadParts> {
  const { features } = settings;
  const intervalMs = bucketIntervalOf(settings);
  const range = { fromAt: trained.fromAt, toAt: evaluated.toAt };
  const read = await readFeatures(openBucket, { features, bucket, range, intervalMs, series }, signal);
  const grid = trimToExtent(read, features);
  if (!grid) throw noData(range, ", choose one that holds points");
  const { startAt: fromAt, length } = grid;
  const toAt = fromAt + length * intervalMs;
  const splitAt =
    trainShare === undefined ? trained.toAt : fromAt + Math.round(length * trainShare) * intervalMs;
  if (splitAt <= fromAt) throw noData(trained, ", the trained part: choose a later train_to");
  if (splitAt >= toAt) throw noData(evaluated, ", the evaluated part: choose an earlier to or train_to");
  return { grid, trained: { fromAt, toAt: splitAt }, evaluated: { fromAt: splitAt, toAt } };
}

/** Labels within the evaluated part, which may begin later than the request said. */
function labelsWithin(labels: BacktestJob["labels"], { fromAt }: Range): BacktestJob["labels"] {
  if (labels === undefined || "field" in labels) return labels;
  return labels.filter(({ toAt }) => toAt > fromAt);
}

interface Parts {
  readonly input: BacktestJob;
  readonly grid: Grid;
  /** Index of the first evaluated interval. */
  readonly split: number;
  readonly marks: TrainingMarks;
}

async function trainAndEvaluate(
  { kind }: HandlerDeps,
  { input: { settings, overrides }, grid, split, marks }: Parts,
  context: Context,
): Promise<{ model: TrainedModel; evaluation: Evaluation }> {
  const known = sliceGrid(grid, 0, split);
  const model = await kind.train({ settings, grid: known, overrides, ...marks }, context);
  // The history of the first window lies in the trained part, which is longer.
  const evaluated = sliceGrid(grid, split - kind.historyOf(model), grid.length);
  return {
    model,
    evaluation: await kind.evaluate(model, { settings, grid: evaluated, ranged: true }, context),
  };
}

/** Tries thresholds one by one, yielding to the event loop in between. */
async function sweepThresholds(
  { series, rules, labels }: Backtest,
  perWeek: number,
  signal: AbortSignal,
): Promise<Sweep> {
  const pace = createYielder(signal);
  const input = { series, rules, ...(labels && { labels }) };
  const attempt = async (thresholds: Thresholds) => {
    await pace();
    return tryThresholds(input, thresholds);
  };
  const outcomes: SweepOutcome[] = [];
  for (const thresholds of sweptThresholds(rules)) outcomes.push(await attempt(thresholds));
  const suggestion = await suggestThresholds(rules, attempt, { perWeek, weeks: weeksOf(series) });
  return { outcomes, suggestion, perWeek };
}
