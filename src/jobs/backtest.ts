// Job `backtest`: trains on the first part of a range and says what live detection would have found in the rest.
import { createPacer } from "../buckets/pace.ts";
import type { Thresholds } from "../core/anomaly.ts";
import { bucketIntervalOf } from "../core/bucket-interval.ts";
import { TorusError } from "../core/errors.ts";
import type { TrainingMarks } from "../core/feedback.ts";
import { countIntervals, countPresent, type Grid, type Range, sliceGrid } from "../core/grid.ts";
import type { JobProgress } from "../core/job.ts";
import {
  type Outcome,
  suggestThresholds,
  sweptThresholds,
  tryThresholds,
  weeksOf,
} from "../core/threshold-sweep.ts";
import { formatDate } from "../core/time.ts";
import { rulesOf } from "../models/detect.ts";
import type { Context, Evaluation, TrainedModel } from "../models/kind.ts";
import { type Backtest, type Sweep, viewBacktest } from "./backtest-result.ts";
import { readFeatures } from "./features.ts";
import { loadFeedback, loadMarks } from "./feedback.ts";
import type { Handler, HandlerDeps } from "./handler.ts";
import type { BacktestJob } from "./input.ts";
import { loadLabels } from "./labels.ts";
import { onTrainingLane } from "./training-lane.ts";

/** Share of a Gaussian between `lower` and `upper`, as in live reports. */
const LEVEL = 0.68;
/** The rest of the job is evaluation. */
const TRAINING_SHARE = 0.9;

/**
 * Makes the handler. It throws TorusError `no_data` where no points or no labels are found, `too_little_data`
 * where the part to train on is too short, `not_found`, `bucket_*`, `worker_crashed`, `canceled`.
 */
export function backtestHandler(deps: HandlerDeps): Handler<"backtest"> {
  return async ({ input }, { signal, onProgress }) => {
    const { settings, trained, evaluated, includeScores } = input;
    const intervalMs = bucketIntervalOf(settings);
    const labelRead = { labels: input.labels, range: evaluated, intervalMs };
    // Read first: a slip in a field's name is told before the training, not after it.
    const given = await loadLabels(deps.openBucket, labelRead, signal);
    const grid = await readParts(deps, input, signal);
    // What was found after the split is what the training must not know, and what it is judged by.
    const marks = await loadMarks(deps.store, input, trained);
    const labels = given ?? (await loadFeedback(deps.store, input, evaluated));
    const split = countIntervals(trained, intervalMs);
    const context = { compute: onTrainingLane(deps.compute), signal, onProgress: scaled(onProgress) };
    const { model, evaluation } = await trainAndEvaluate(deps, { input, grid, split, marks }, context);
    const series = {
      startAt: evaluated.fromAt,
      intervalMs,
      scores: Float64Array.from(evaluation.scores, ({ score }) => score ?? Number.NaN),
    };
    const backtest: Backtest = {
      parts: { trained, evaluated },
      summary: model.summary,
      evaluation,
      observed: sliceGrid(grid, split, grid.length),
      series,
      rules: rulesOf(settings),
      marks,
      ...(labels && { labels }),
      labelSource: given ? "given" : "feedback",
    };
    const sweep = await sweepThresholds(backtest, input.falseAlarmsPerWeek, signal);
    return { result: viewBacktest(backtest, sweep, { includeScores }) };
  };
}

/** Both parts in one grid. @throws TorusError `no_data` where nothing could be evaluated */
async function readParts(
  { openBucket }: HandlerDeps,
  { settings, bucket, trained, evaluated }: BacktestJob,
  signal: AbortSignal,
): Promise<Grid> {
  const intervalMs = bucketIntervalOf(settings);
  const range = { fromAt: trained.fromAt, toAt: evaluated.toAt };
  const grid = await readFeatures(
    openBucket,
    { features: settings.features, bucket, range, intervalMs },
    signal,
  );
  const rest = sliceGrid(grid, countIntervals(trained, intervalMs), grid.length);
  if (Object.values(rest.columns).every((column) => countPresent(column) === 0)) throw nothingIn(evaluated);
  return grid;
}

function nothingIn({ fromAt, toAt }: Range): TorusError {
  const range = `${formatDate(fromAt)} to ${formatDate(toAt)}`;
  const message = `no data found for time range ${range}, the evaluated part: choose an earlier to or train_to`;
  return new TorusError("no_data", message, { found: 0 });
}

interface Parts {
  readonly input: BacktestJob;
  readonly grid: Grid;
  /** Index of the first evaluated interval. */
  readonly split: number;
  readonly marks: TrainingMarks;
}

async function trainAndEvaluate(
  { kinds }: HandlerDeps,
  { input: { settings, overrides }, grid, split, marks }: Parts,
  context: Context,
): Promise<{ model: TrainedModel; evaluation: Evaluation }> {
  const kind = kinds[settings.type];
  const known = sliceGrid(grid, 0, split);
  const model = await kind.train({ settings, grid: known, overrides, ...marks }, context);
  // A window is shorter than the part it was trained on: its history is there.
  const asked = sliceGrid(grid, split - kind.historyOf(model), grid.length);
  return { model, evaluation: await kind.evaluate(model, { settings, grid: asked, level: LEVEL }, context) };
}

function scaled(onProgress: Context["onProgress"]): Context["onProgress"] {
  return (progress: JobProgress) => {
    const { fraction } = progress;
    onProgress({ ...progress, ...(fraction !== undefined && { fraction: fraction * TRAINING_SHARE }) });
  };
}

/** Tries thresholds one by one, and lets others work in between. */
async function sweepThresholds(
  { series, rules, labels }: Backtest,
  perWeek: number,
  signal: AbortSignal,
): Promise<Sweep> {
  const pace = createPacer(signal);
  const input = { series, rules, ...(labels && { labels }) };
  const attempt = async (thresholds: Thresholds) => {
    await pace();
    return tryThresholds(input, thresholds);
  };
  const outcomes: Outcome[] = [];
  for (const thresholds of sweptThresholds(rules)) outcomes.push(await attempt(thresholds));
  const suggestion = await suggestThresholds(rules, attempt, { perWeek, weeks: weeksOf(series) });
  return { outcomes, suggestion, perWeek };
}
