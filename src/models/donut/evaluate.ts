// Evaluates known data with a trained version: networks run in a worker, units, bands and scores are put back here.
import { type Grid, sliceGrid } from "../../core/grid.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model.ts";
import { thresholdsInForce } from "../detect.ts";
import { scoreEnsemble } from "../detector/ensemble.ts";
import type { Memory } from "../detector/parts.ts";
import { rhythmOf } from "../detector/rhythm.ts";
import { calmScore, isTolerated } from "../detector/tolerance.ts";
import type {
  Context,
  Drift,
  EvaluateInput,
  Evaluation,
  FeatureScore,
  KindMemory,
  PointScore,
  TrainedModel,
} from "../kind.ts";
import { probabilityOf, scoreOf, sigmaScore } from "../score.ts";
import { fillDefault, standardise } from "../series.ts";
import { tailProbability, tailQuantile } from "../tail.ts";
import { type Expectation, toBands } from "./band.ts";
import { directionOf } from "./calibrate.ts";
import { withConditions } from "./condition.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "./parameters.ts";

/** Intervals before the first predicted one that the longest window reaches back over. */
export function historyOf(model: TrainedModel): number {
  return Math.max(...networksOf(model).map((network) => network.shape.window)) - 1;
}

/** One feature over the whole grid, in units of the data. */
interface FeatureEvaluation extends Expectation {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
  /** 0..100; NaN where nothing was observed. */
  readonly score: Float64Array;
  /** Unbounded, to rank points by; nats. */
  readonly nll: Float64Array;
  readonly memory?: KeptMemory;
  /** 1 where a point is not believed by later windows. */
  readonly rejected: Uint8Array;
}

/** Anomalies by a client's own thresholds that are not believed to be normal: the last three. */
const KEPT_ALARMS = 3;

/** Memory of a feature, and of which network: another training starts anew. */
interface KeptMemory extends Memory {
  /** Validation loss of the network: no two trainings share all its digits. */
  readonly of: number;
}

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

export async function evaluateDonut(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Deps,
): Promise<Evaluation> {
  const from = historyOf(model);
  const features: FeatureEvaluation[] = [];
  for (const network of networksOf(model)) {
    features.push(await evaluateFeature(network, paramsOf(model, network), { input, from, ...deps }));
  }
  const cut = features.map(({ name, mean, deviation }) => ({
    name,
    mean: mean.subarray(from),
    deviation: deviation.subarray(from),
  }));
  const drift = driftOf(features);
  return {
    grid: sliceGrid(input.grid, from, input.grid.length),
    ...toBands(cut, input.level),
    scores: Array.from({ length: input.grid.length - from }, (_, k) => scoreAt(features, from + k)),
    rejected: Object.fromEntries(features.map((feature) => [feature.name, instantsOf(feature, input.grid)])),
    memory: memoryOf(features),
    ...(drift && { drift }),
  };
}

async function evaluateFeature(
  network: FeatureNetwork,
  params: Float32Array,
  { input, from, options, context }: { input: EvaluateInput; from: number } & Deps,
): Promise<FeatureEvaluation> {
  const { name, shape, standardisation, tail, conditions } = network;
  const feature = input.settings.features.find((candidate) => candidate.name === name);
  const column = fillDefault(input.grid.columns[name]!, feature?.default);
  const rejectAbove = tailQuantile(tail, probabilityOf(thresholdsInForce(input.settings).max));
  const rejected = flagsOf(input.rejected?.[name] ?? [], input.grid);
  const series = withConditions(standardise(column, standardisation), conditions, input.grid);
  const result = await context.compute.run(
    { kind: "score", shape, params, series, options: predictOptions(options), rejectAbove, rejected },
    { lane: "prediction", signal: context.signal, handOver: [params] },
  );
  const { mean: center, deviation: scale } = standardisation;
  const expectation = {
    mean: Float64Array.from(result.mean, (value) => value * scale + center),
    deviation: Float64Array.from(result.deviation, (value) => value * scale),
  };
  const scored = scoreFeature({
    network,
    column,
    ...expectation,
    nll: Float64Array.from(result.nll),
    from,
    input,
  });
  return { name, network, column, ...expectation, ...scored, rejected: result.rejected };
}

interface Scorable extends Pick<FeatureEvaluation, "network" | "column" | "mean" | "deviation"> {
  /** Of the network, standardised units. */
  readonly nll: Float64Array;
  readonly from: number;
  readonly input: EvaluateInput;
}

function scoreFeature(given: Scorable): Pick<FeatureEvaluation, "score" | "nll" | "memory"> {
  const { network, column, mean, nll, input } = given;
  const anomalyType = anomalyTypeOf(input.settings, network.name);
  const counts = (i: number) => directionOf(column[i]! - mean[i]!, anomalyType) !== 0;
  const { detector = "ensemble", score_scale: scale } = input.settings;
  const { min } = thresholdsInForce(input.settings);
  if (network.ensemble && detector === "ensemble" && scale !== "sigma") return scoreTogether(given, counts);
  const scoreOfPoint = (value: number, i: number) => {
    if (Number.isNaN(value)) return Number.NaN;
    if (!counts(i)) return 0;
    const off = column[i]! - mean[i]!;
    const score =
      scale === "sigma"
        ? sigmaScore(off / given.deviation[i]!)
        : scoreOf(tailProbability(network.tail, value));
    const deviation = { type: off < 0 ? "low" : "high", distances: { network: Math.abs(off) } } as const;
    return isTolerated(network.tolerated ?? [], deviation) ? calmScore(score, min) : score;
  };
  // A density has units: that of the data is smaller by the scale.
  const unit = Math.log(network.standardisation.deviation);
  return { score: Float64Array.from(nll, scoreOfPoint), nll: nll.map((value) => value + unit) };
}

/** With the companions, from where the evaluation before this one ended. */
function scoreTogether(
  { network, column, mean, nll, from, input }: Scorable,
  counts: (i: number) => boolean,
): Pick<FeatureEvaluation, "score" | "nll" | "memory"> {
  const kept = input.memory?.[network.name] as KeptMemory | undefined;
  const { score, rarity, memory } = scoreEnsemble(network.ensemble!, {
    rhythm: rhythmOf(input.settings, input.grid),
    column,
    expected: mean,
    nll,
    from,
    counts,
    thresholds: thresholdsInForce(input.settings),
    keptAlarms: thresholdsOf(input.settings) ? KEPT_ALARMS : 0,
    tolerated: network.tolerated,
    memory: kept?.of === network.loss ? kept : undefined,
  });
  return { score, nll: rarity, memory: { ...memory, of: network.loss } };
}

function anomalyTypeOf({ features }: ModelSettings, name: string) {
  return features.find((feature) => feature.name === name)?.anomaly_type ?? "low_high";
}

function memoryOf(features: readonly FeatureEvaluation[]): KindMemory {
  return Object.fromEntries(features.flatMap(({ name, memory }) => (memory ? [[name, memory]] : [])));
}

/** Of the feature that has drifted most. */
function driftOf(features: readonly FeatureEvaluation[]): Drift | undefined {
  const drifts = features.flatMap(({ name, memory }): Drift[] => {
    const { share, sinceAt } = memory?.drift ?? {};
    return share === undefined || sinceAt === undefined ? [] : [{ feature: name, sinceAt, share }];
  });
  return drifts.sort((a, b) => b.share - a.share)[0];
}

/** 1 at the intervals that begin at the given instants (ms). */
function flagsOf(instants: readonly number[], { startAt, intervalMs, length }: Grid): Uint8Array {
  const flags = new Uint8Array(length);
  for (const at of instants) {
    const i = (at - startAt) / intervalMs;
    if (i >= 0 && i < length) flags[i] = 1;
  }
  return flags;
}

function instantsOf({ rejected }: FeatureEvaluation, { startAt, intervalMs }: Grid): readonly number[] {
  return Array.from(rejected.entries())
    .filter(([, flag]) => flag === 1)
    .map(([i]) => startAt + i * intervalMs);
}

function scoreAt(features: readonly FeatureEvaluation[], i: number): PointScore {
  const scored = features.filter((feature) => !Number.isNaN(feature.score[i]!));
  return {
    score: scored.length > 0 ? Math.max(...scored.map((feature) => feature.score[i]!)) : undefined,
    features: Object.fromEntries(scored.map((feature) => [feature.name, featureScoreAt(feature, i)])),
    mse: mseAt(features, i),
    nll: nllAt(features, i),
  };
}

function featureScoreAt({ column, mean, score }: FeatureEvaluation, i: number): FeatureScore {
  return { type: column[i]! < mean[i]! ? "low" : "high", score: score[i]! };
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
