// Evaluation of known data: networks run in a worker, then units, bands and scores are applied here.
import { type Grid, sliceGrid } from "../../core/series/grid.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { flatten, followTrend, restore, type TrendMemory } from "../detectors/trend.ts";
import type { Context, Drift, EvaluateInput, Evaluation, KindMemory, TrainedModel } from "../kind.ts";
import { effectiveThresholds } from "../scoring/detect.ts";
import { probabilityOf } from "../scoring/score.ts";
import { standardise, toModelColumn } from "../series.ts";
import { tailQuantile } from "../stats/tail.ts";
import type { Band } from "./band.ts";
import { withConditions } from "./condition.ts";
import { memoryOfFeature, type ScoredFeature, scoreFeature } from "./feature-score.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "./parameters.ts";
import { scorePoint } from "./point-score.ts";
import { JoinedEvaluation, sliceLength } from "./slices.ts";

/** Intervals of history that the longest window needs before the first prediction. */
export function historyOf(model: TrainedModel): number {
  return Math.max(...networksOf(model).map((network) => network.shape.window)) - 1;
}

interface FeatureEvaluation extends ScoredFeature {
  /** 1 where a point was rejected. */
  readonly rejected: Uint8Array;
}

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

interface SliceDeps extends Deps {
  /** No point of the preceding slice was rejected. */
  readonly calm?: boolean;
}

/**
 * Evaluates a grid that starts `historyOf` intervals before the first interval to score. Long grids are evaluated in
 * slices, each from the memory of the one before, so that workers and the server thread serve others in between.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function evaluateDonut(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Deps,
): Promise<Evaluation> {
  const history = historyOf(model);
  const wanted = input.grid.length - history;
  const step = sliceLength(networksOf(model), deps.options);
  const grid = fillDefaults(input);
  const shown = sliceGrid(input.grid, history, input.grid.length);
  if (wanted <= step) return { ...(await evaluateSlice(model, { ...input, grid }, deps)), grid: shown };
  const whole = new JoinedEvaluation(shown);
  for (let from = 0; from < wanted; from += step) {
    const to = Math.min(wanted, from + step);
    const { rejected = input.rejected, memory = input.memory } = whole.last ?? {};
    const slice = { ...input, grid: sliceGrid(grid, from, to + history), rejected, memory };
    whole.add(await evaluateSlice(model, slice, { ...deps, calm: whole.isLastClean }), from);
  }
  return whole.toEvaluation();
}

/** Fills defaults in the whole grid: the previous value of an empty interval may lie in an earlier slice. */
function fillDefaults({ grid, settings }: EvaluateInput): Grid {
  const columns = settings.features.map(({ name, default: fallback }) => {
    return [name, toModelColumn(grid.columns[name]!, fallback)] as const;
  });
  return { ...grid, columns: { ...grid.columns, ...Object.fromEntries(columns) } };
}

/** @param input with defaults filled in */
async function evaluateSlice(
  model: TrainedModel,
  input: EvaluateInput,
  deps: SliceDeps,
): Promise<Evaluation> {
  const from = historyOf(model);
  const features: FeatureEvaluation[] = [];
  for (const network of networksOf(model)) {
    features.push(await evaluateFeature(network, paramsOf(model, network), { input, from, ...deps }));
  }
  const cut = (key: keyof Band) =>
    Object.fromEntries(features.map((feature) => [feature.name, feature[key].subarray(from)]));
  const drift = driftOf(features);
  return {
    grid: sliceGrid(input.grid, from, input.grid.length),
    predicted: cut("predicted"),
    lower: cut("lower"),
    upper: cut("upper"),
    scores: Array.from({ length: input.grid.length - from }, (_, k) => scorePoint(features, from + k)),
    rejected: Object.fromEntries(features.map((feature) => [feature.name, instantsOf(feature, input.grid)])),
    memory: memoryOf(features),
    ...(drift && { drift }),
  };
}

async function evaluateFeature(
  network: FeatureNetwork,
  params: Float32Array,
  { input, from, options, context, calm = false }: { input: EvaluateInput; from: number } & SliceDeps,
): Promise<FeatureEvaluation> {
  const { name, shape, standardisation, tail, conditions } = network;
  const trended = removeTrendOf(network, { input, from });
  const { column } = trended;
  const rejectAbove = tailQuantile(tail, probabilityOf(effectiveThresholds(input.settings).max));
  const rejected = flagsOf(input.rejected?.[name] ?? [], input.grid);
  const series = withConditions(
    standardise(column, standardisation),
    conditions,
    input.grid,
    shape.window - 1,
  );
  const result = await context.compute.run(
    {
      kind: "score",
      shape,
      params,
      series,
      options: predictOptions(options),
      rejectAbove,
      rejected,
      clean: calm,
    },
    { lane: "prediction", signal: context.signal, transfer: [params] },
  );
  const { mean: center, deviation: scale } = standardisation;
  const expectation = {
    mean: Float64Array.from(result.mean, (value) => value * scale + center),
    deviation: Float64Array.from(result.deviation, (value) => value * scale),
  };
  const scored = scoreFeature({
    name,
    network,
    column,
    ...expectation,
    nll: Float64Array.from(result.nll),
    from,
    input,
  });
  const memory = scored.memory && { ...scored.memory, ...(trended.memory && { trend: trended.memory }) };
  return {
    name,
    network,
    ...scored,
    ...trended.restore(scored),
    column: input.grid.columns[name]!,
    ...(memory && { memory }),
    rejected: result.rejected,
  };
}

/** The column without the trend that the network was trained without; bands get it back. */
function removeTrendOf(
  { name, trend, loss }: FeatureNetwork,
  { input, from }: { input: EvaluateInput; from: number },
): { column: Float64Array; memory?: TrendMemory; restore: (band: Band) => Band } {
  const column = input.grid.columns[name]!;
  if (!trend) return { column, restore: ({ predicted, lower, upper }) => ({ predicted, lower, upper }) };
  const kept = memoryOfFeature(input, { name, loss });
  const timeline = timelineOf(input.settings, input.grid);
  const { amounts, memory } = followTrend(trend, { column, timeline, from }, kept?.trend);
  return {
    column: flatten(trend, column, amounts),
    memory,
    restore: ({ predicted, lower, upper }) => ({
      predicted: restore(trend, predicted, amounts),
      lower: restore(trend, lower, amounts),
      upper: restore(trend, upper, amounts),
    }),
  };
}

function memoryOf(features: readonly FeatureEvaluation[]): KindMemory {
  return Object.fromEntries(features.flatMap(({ name, memory }) => (memory ? [[name, memory]] : [])));
}

/** Drift of the feature with the largest share. */
function driftOf(features: readonly FeatureEvaluation[]): Drift | undefined {
  const drifts = features.flatMap(({ name, memory }): Drift[] => {
    const { share, sinceAt } = memory?.drift ?? {};
    return share === undefined || sinceAt === undefined ? [] : [{ feature: name, sinceAt, share }];
  });
  return drifts.sort((a, b) => b.share - a.share)[0];
}

/** @returns 1 at the intervals that start at the given instants (ms) */
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
