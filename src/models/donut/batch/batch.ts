// Batch evaluation: scores from earlier and later points, beside those of live detection.
import { directionsOf } from "../../../core/model/feature.ts";
import { listInSteps, mapInSteps } from "../../../runtime/steps.ts";
import type {
  Context,
  EvaluateInput,
  Evaluation,
  FeatureScore,
  PointScore,
  TrainedModel,
} from "../../kind.ts";
import { scoreOf } from "../../scoring/score.ts";
import { standardise, toModelColumn } from "../../series.ts";
import { tailDecades, tailProbability } from "../../stats/tail.ts";
import { isNetworkAbsent } from "../absent-network.ts";
import { directionOf } from "../calibrate.ts";
import { withConditions } from "../condition.ts";
import { evaluateDonut, historyOf } from "../evaluate.ts";
import { usesEnsemble } from "../feature-score.ts";
import { removeBaseline } from "../network-pass.ts";
import { type DonutOptions, predictOptions } from "../options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "../parameters.ts";
import { batchLength } from "../slices.ts";
import { type BatchScores, type Part, scoreByEnsemble } from "./ensemble.ts";

/** Scored windows per point, at most: more hardly change their median. */
const MAX_WINDOWS_OF_POINT = 30;

interface EvaluationDeps {
  readonly options: DonutOptions;
  readonly context: Context;
}

interface BatchFeature extends BatchScores {
  readonly name: string;
}

/** As `evaluateDonut`, with every point scored from the points after it too. @throws as `evaluateDonut` */
export async function evaluateBatch(
  model: TrainedModel,
  input: EvaluateInput,
  deps: EvaluationDeps,
): Promise<Evaluation> {
  const causal = await evaluateDonut(model, input, deps);
  const from = historyOf(model);
  const features: BatchFeature[] = [];
  for (const network of networksOf(model))
    features.push(await scoreFeature(network, { model, input, causal, from, ...deps }));
  const { scores } = causal;
  const { signal } = deps.context;
  return {
    ...causal,
    scores: await listInSteps(scores.length, (i) => withBatchScore(scores[i]!, features, i), signal),
  };
}

interface FeatureInput extends EvaluationDeps {
  readonly model: TrainedModel;
  readonly input: EvaluateInput;
  readonly causal: Evaluation;
  /** First interval to score. */
  readonly from: number;
}

async function scoreFeature(network: FeatureNetwork, feature: FeatureInput): Promise<BatchFeature> {
  const { input, causal, from, context } = feature;
  const { name } = network;
  const settings = input.settings.features.find((candidate) => candidate.name === name);
  const column = toModelColumn(input.grid.columns[name]!, settings?.default);
  const columns = { ...input.grid.columns, [name]: column };
  const flat = removeBaseline(network, { input: { ...input, grid: { ...input.grid, columns } }, from });
  const series = { startAt: input.grid.startAt, column: flat.column };
  const nll = await scorePoints(network, { ...series, from }, feature);
  const scoreNetwork = (part: Part) => scorePoints(network, { ...part, from: 0 }, feature);
  const own = usesEnsemble(network, input.settings)
    ? await scoreByEnsemble(network, { ...series, nll, from, input, causal, scoreNetwork }, context.signal)
    : scoreByNetwork(network, nll);
  const type = directionsOf(settings);
  const counts = (i: number) => directionOf(column[from + i]! - causal.predicted[name]![i]!, type) !== 0;
  const score = await mapInSteps(
    nll.length,
    (i) => (Number.isNaN(own.score[i]!) || counts(i) ? own.score[i]! : 0),
    context.signal,
  );
  return { ...own, name, score };
}

function scoreByNetwork({ tail, standardisation }: FeatureNetwork, nll: Float64Array): BatchScores {
  const unit = Math.log(standardisation.deviation);
  return {
    score: nll.map((value) => (Number.isNaN(value) ? Number.NaN : scoreOf(tailProbability(tail, value)))),
    rarity: nll.map((value) => tailDecades(tail, value)),
    nll: nll.map((value) => value + unit),
  };
}

/** Statistic of every point, in standardised units; each task scores some points with all their windows. */
async function scorePoints(
  network: FeatureNetwork,
  { startAt, column, from }: Part & { from: number },
  { model, input, options, context }: FeatureInput,
): Promise<Float64Array> {
  if (isNetworkAbsent(network)) return new Float64Array(column.length - from).fill(Number.NaN);
  const { shape, standardisation, conditions } = network;
  const stride = Math.max(1, Math.floor(shape.window / MAX_WINDOWS_OF_POINT));
  const step = batchLength(shape, options) * stride;
  const nll = new Float64Array(column.length - from);
  for (let at = from; at < column.length; at += step) {
    const to = Math.min(column.length, at + step);
    const { start, end } = windowsOf({ from: at, to, length: column.length }, shape.window, stride);
    const partAt = startAt + start * input.grid.intervalMs;
    const part = standardise(column.subarray(start, end), standardisation);
    const result = await context.compute.run(
      {
        kind: "batch",
        shape,
        params: paramsOf(model, network),
        series: withConditions(part, conditions, { ...input.grid, startAt: partAt }, shape.window - 1),
        stride,
        // At the mean of the latent: the median over the windows replaces sampling.
        options: { ...predictOptions(options), samples: 0 },
      },
      { lane: "prediction", signal: context.signal },
    );
    nll.set(result.nll.subarray(at - start, to - start), at - from);
  }
  return nll;
}

interface Points {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Of the whole series. */
  readonly length: number;
}

/** Extent of the windows that hold the points; windows start at multiples of `stride`. */
export function windowsOf(
  { from, to, length }: Points,
  window: number,
  stride: number,
): { start: number; end: number } {
  const start = Math.max(0, Math.ceil((from - window + 1) / stride) * stride);
  // The last window of a series ends with it.
  if (to > length - window) return { start: Math.min(start, Math.max(0, length - window)), end: length };
  return { start, end: Math.floor((to - 1) / stride) * stride + window };
}

/** The point with its batch score, and its score of live detection as `causalScore`. */
function withBatchScore(causal: PointScore, features: readonly BatchFeature[], i: number): PointScore {
  const scored = features.filter(({ score }) => !Number.isNaN(score[i]!));
  if (scored.length === 0) return causal;
  const entries = scored.flatMap(({ name, score, rarity }): [string, FeatureScore][] => {
    const known = causal.features[name];
    if (!known) return [];
    // Several features together are judged from the past alone.
    const { joint = 0 } = known;
    const own = {
      ...known,
      score: Math.max(score[i]!, joint),
      rarity: Math.max(rarity[i]!, joint && known.rarity!),
    };
    return [[name, own]];
  });
  return {
    ...causal,
    score: Math.max(...entries.map(([, own]) => own.score)),
    features: Object.fromEntries(entries),
    nll: scored.reduce((sum, { nll }) => sum + nll[i]!, 0),
    ...(causal.score !== undefined && { causalScore: causal.score }),
  };
}
