// Batch detection: known data scored with what came later in view, beside the scores that live detection would give.
import type { Context, EvaluateInput, Evaluation, FeatureScore, PointScore, TrainedModel } from "../kind.ts";
import { scoreOf } from "../score.ts";
import { fillDefault, standardise } from "../series.ts";
import { tailProbability } from "../tail.ts";
import { directionOf } from "./calibrate.ts";
import { withConditions } from "./condition.ts";
import { evaluateDonut, historyOf } from "./evaluate.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { networksOf, paramsOf } from "./parameters.ts";

/** A point lies in at most so many of the windows that are scored: their median hardly changes with more. */
const MOST_VOTES = 30;

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

interface BatchFeature {
  readonly name: string;
  /** Negative log density in units of the data; NaN where nothing was observed. */
  readonly nll: Float64Array;
  /** 0..100 */
  readonly score: Float64Array;
}

/** As `evaluateDonut`, with every point scored at many positions of its windows. */
export async function evaluateBatch(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Deps,
): Promise<Evaluation> {
  const causal = await evaluateDonut(model, input, deps);
  const features: BatchFeature[] = [];
  for (const network of networksOf(model))
    features.push(await scoreFeature(model, network.name, { input, causal, ...deps }));
  return { ...causal, scores: causal.scores.map((score, i) => withBatch(score, features, i)) };
}

async function scoreFeature(
  model: TrainedModel,
  name: string,
  { input, causal, options, context }: { input: EvaluateInput; causal: Evaluation } & Deps,
): Promise<BatchFeature> {
  const network = networksOf(model).find((candidate) => candidate.name === name)!;
  const feature = input.settings.features.find((candidate) => candidate.name === name);
  const { shape, standardisation, tail, conditions } = network;
  const column = fillDefault(input.grid.columns[name]!, feature?.default);
  const { nll } = await context.compute.run(
    {
      kind: "batch",
      shape,
      params: paramsOf(model, network),
      series: withConditions(standardise(column, standardisation), conditions, input.grid),
      stride: Math.max(1, Math.floor(shape.window / MOST_VOTES)),
      // The latent's mean: the median over the windows takes the place of samples.
      options: { ...predictOptions(options), samples: 0 },
    },
    { lane: "prediction", signal: context.signal },
  );
  const from = historyOf(model);
  const kept = Float64Array.from(nll.subarray(from));
  const type = feature?.anomaly_type ?? "low_high";
  const score = kept.map((value, i) => {
    if (Number.isNaN(value)) return Number.NaN;
    const counts = directionOf(column[from + i]! - causal.predicted[name]![i]!, type) !== 0;
    return counts ? scoreOf(tailProbability(tail, value)) : 0;
  });
  const unit = Math.log(standardisation.deviation);
  return { name, score, nll: kept.map((value) => value + unit) };
}

/** The same point with its batch score; what live detection would have said stays beside it. */
function withBatch(causal: PointScore, features: readonly BatchFeature[], i: number): PointScore {
  const scored = features.filter(({ score }) => !Number.isNaN(score[i]!));
  if (scored.length === 0) return causal;
  const entries = scored.flatMap(({ name, score }): [string, FeatureScore][] => {
    const known = causal.features[name];
    return known ? [[name, { ...known, score: score[i]! }]] : [];
  });
  return {
    ...causal,
    score: Math.max(...scored.map(({ score }) => score[i]!)),
    features: Object.fromEntries(entries),
    nll: scored.reduce((sum, { nll }) => sum + nll[i]!, 0),
    ...(causal.score !== undefined && { causalScore: causal.score }),
  };
}
