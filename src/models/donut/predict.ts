// Evaluates and forecasts with a trained version: networks run in a worker, units and bands are put back here.
import { type AnomalyState, calm, stepAnomaly, type Thresholds } from "../../core/anomaly.ts";
import { type Grid, sliceGrid } from "../../core/grid.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model.ts";
import { parseDuration } from "../../core/time.ts";
import type { Context, Evaluation, FeatureScore, PointScore, Prediction, TrainedModel } from "../kind.ts";
import { automaticThresholds, bandWidth, probabilityOf, scoreOf } from "../score.ts";
import { fillDefault, standardise } from "../series.ts";
import { tailProbability, tailQuantile } from "../tail.ts";
import { directionOf } from "./calibrate.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "./parameters.ts";

export interface EvaluateInput {
  readonly settings: ModelSettings;
  readonly grid: Grid;
  readonly level: number;
}

/** The thresholds in force: the client's, or those that keep false alarms rare. */
export function thresholdsInForce(settings: ModelSettings): Thresholds {
  return (
    thresholdsOf(settings) ?? automaticThresholds(parseDuration(settings.bucket_interval, "bucket_interval"))
  );
}

/** Intervals before the first predicted one that the longest window reaches back over. */
export function historyOf(model: TrainedModel): number {
  return Math.max(...networksOf(model).map((network) => network.shape.window)) - 1;
}

/** One feature over the whole grid, in units of the data. */
interface FeatureEvaluation {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  /** 0..100; NaN where nothing was observed. */
  readonly score: Float64Array;
  /** In units of the data: a density has them. */
  readonly nll: Float64Array;
}

export async function evaluateDonut(
  model: TrainedModel,
  input: EvaluateInput,
  { options, context }: { options: DonutOptions; context: Context },
): Promise<Evaluation> {
  const thresholds = thresholdsInForce(input.settings);
  const evaluations: FeatureEvaluation[] = [];
  for (const network of networksOf(model)) {
    evaluations.push(await evaluateFeature(model, network, { input, thresholds, options, context }));
  }
  const from = historyOf(model);
  const grid = sliceGrid(input.grid, from, input.grid.length);
  const bands = toBands(
    evaluations.map((feature) => cutEvaluation(feature, from)),
    input.level,
  );
  return { grid, ...bands, stats: toStats(evaluations, input, { thresholds, from }) };
}

async function evaluateFeature(
  model: TrainedModel,
  network: FeatureNetwork,
  {
    input,
    thresholds,
    options,
    context,
  }: { input: EvaluateInput; thresholds: Thresholds; options: DonutOptions; context: Context },
): Promise<FeatureEvaluation> {
  const feature = input.settings.features.find((candidate) => candidate.name === network.name);
  const column = fillDefault(input.grid.columns[network.name]!, feature?.default);
  const result = await context.compute.run(
    {
      kind: "score",
      shape: network.shape,
      params: paramsOf(model, network),
      series: standardise(column, network.standardisation),
      options: predictOptions(options),
      rejectAbove: tailQuantile(network.tail, probabilityOf(thresholds.max)),
    },
    { lane: "prediction", signal: context.signal },
  );
  const anomalyType = feature?.anomaly_type ?? "low_high";
  const { mean: center, deviation: scale } = network.standardisation;
  const mean = Float64Array.from(result.mean, (value) => value * scale + center);
  const deviation = Float64Array.from(result.deviation, (value) => value * scale);
  const score = Float64Array.from(result.nll, (nll, i) =>
    Number.isNaN(nll)
      ? Number.NaN
      : scoreStatistic(network, nll, directionOf(column[i]! - mean[i]!, anomalyType)),
  );
  return {
    network,
    column,
    mean,
    deviation,
    score,
    nll: Float64Array.from(result.nll, (nll) => nll + Math.log(scale)),
  };
}

function scoreStatistic(network: FeatureNetwork, nll: number, direction: -1 | 0 | 1): number {
  if (direction === 0) return 0;
  return scoreOf(tailProbability(network.tail, nll));
}

function cutEvaluation(feature: FeatureEvaluation, from: number) {
  return {
    name: feature.network.name,
    mean: feature.mean.subarray(from),
    deviation: feature.deviation.subarray(from),
  };
}

/** Bands that hold `level` of a Gaussian. */
function toBands(
  features: readonly { name: string; mean: Float64Array; deviation: Float64Array }[],
  level: number,
): Pick<Prediction, "predicted" | "lower" | "upper"> {
  const width = bandWidth(level);
  const edge = (sign: number) =>
    Object.fromEntries(
      features.map(({ name, mean, deviation }) => [
        name,
        mean.map((value, i) => value + sign * width * deviation[i]!),
      ]),
    );
  return { predicted: edge(0), lower: edge(-1), upper: edge(1) };
}

/** Runs the anomaly state machine over the scores, oldest first. */
function toStats(
  features: readonly FeatureEvaluation[],
  { settings, grid }: EvaluateInput,
  { thresholds, from }: { thresholds: Thresholds; from: number },
): readonly PointScore[] {
  const rules = { ...thresholds, gracePeriodMs: parseDuration(settings.grace_period ?? 0, "grace_period") };
  let state: AnomalyState = calm;
  return Array.from({ length: grid.length - from }, (_, k): PointScore => {
    const i = from + k;
    const scores = features.map((feature) => feature.score[i]!).filter((score) => !Number.isNaN(score));
    const score = scores.length > 0 ? Math.max(...scores) : undefined;
    state = stepAnomaly(state, { at: grid.startAt + i * grid.intervalMs, score }, rules).state;
    const anomalies = state.active ? anomaliesAt(features, i, thresholds.min) : {};
    return {
      score: score ?? 0,
      anomaly: state.active,
      anomalies,
      mse: mseAt(features, i),
      nll: nllAt(features, i),
    };
  });
}

function anomaliesAt(
  features: readonly FeatureEvaluation[],
  i: number,
  min: number,
): Record<string, FeatureScore> {
  const odd = features.filter((feature) => feature.score[i]! >= min);
  return Object.fromEntries(
    odd.map(({ network, column, mean, score }) => [
      network.name,
      { type: column[i]! < mean[i]! ? ("low" as const) : ("high" as const), score: score[i]! },
    ]),
  );
}

/** Mean over the features of the squared error in standard deviations of the training data. */
function mseAt(features: readonly FeatureEvaluation[], i: number): number | null {
  const errors = features
    .map(({ network, column, mean }) => ((column[i]! - mean[i]!) / network.standardisation.deviation) ** 2)
    .filter(Number.isFinite);
  return errors.length > 0 ? errors.reduce((sum, error) => sum + error, 0) / errors.length : null;
}

/** Joint over the features: negative log densities add up. */
function nllAt(features: readonly FeatureEvaluation[], i: number): number | null {
  const values = features.map((feature) => feature.nll[i]!).filter(Number.isFinite);
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;
}

export interface ForecastInput {
  readonly settings: ModelSettings;
  readonly history: Grid;
  readonly horizon: number;
  readonly level: number;
}

export async function forecastDonut(
  model: TrainedModel,
  { settings, history, horizon, level }: ForecastInput,
  { options, context }: { options: DonutOptions; context: Context },
): Promise<Prediction> {
  const features: { name: string; mean: Float64Array; deviation: Float64Array }[] = [];
  for (const network of networksOf(model)) {
    const feature = settings.features.find((candidate) => candidate.name === network.name);
    const column = fillDefault(history.columns[network.name]!, feature?.default);
    const series = standardise(column, network.standardisation);
    const task = {
      kind: "forecast" as const,
      shape: network.shape,
      params: paramsOf(model, network),
      series,
      horizon,
    };
    const result = await context.compute.run(
      { ...task, options: predictOptions(options) },
      { lane: "prediction", signal: context.signal },
    );
    const { mean: center, deviation: scale } = network.standardisation;
    features.push({
      name: network.name,
      mean: Float64Array.from(result.mean, (value) => value * scale + center),
      deviation: Float64Array.from(result.deviation, (value) => value * scale * network.forecastWidening),
    });
  }
  const startAt = history.startAt + history.length * history.intervalMs;
  const grid: Grid = { startAt, intervalMs: history.intervalMs, length: horizon, columns: {} };
  return { grid, ...toBands(features, level) };
}
