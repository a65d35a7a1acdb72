// Evaluation of known data: networks run in a worker, then units, bands and scores are applied here.
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import { type Grid, sliceGrid } from "../../core/series/grid.ts";
import { boundsOf, clampTo } from "../forecasters/bounds.ts";
import type { Drift, EvaluateInput, Evaluation, KindMemory, TrainedModel } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import type { Band } from "./band.ts";
import { scoreFeature, usesEnsemble } from "./feature-score.ts";
import { JOINT_KEY, type JointFeature, scoreJoint } from "./joint/score.ts";
import { type NetworkDeps, removeBaseline, runNetwork } from "./network-pass.ts";
import { type FeatureNetwork, jointOf, networksOf, paramsOf } from "./parameters.ts";
import { scorePoint } from "./point-score.ts";
import { JoinedEvaluation, sliceLength } from "./slices.ts";

/** Intervals of history that the longest window needs before the first prediction. */
export function historyOf(model: TrainedModel): number {
  return Math.max(...networksOf(model).map((network) => network.shape.window)) - 1;
}

interface FeatureEvaluation extends JointFeature {
  readonly shifts: readonly Omit<LevelShift, "feature">[];
  /** 1 where a point was rejected. */
  readonly rejected: Uint8Array;
}

/**
 * Evaluates a grid that starts `historyOf` intervals before the first interval to score. Long grids are evaluated in
 * slices, each from the memory of the one before, so that workers and the server thread serve others in between.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function evaluateDonut(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Omit<NetworkDeps, "calm">,
): Promise<Evaluation> {
  const history = historyOf(model);
  const wanted = input.grid.length - history;
  const step = sliceLength(networksOf(model), deps.options);
  const grid = fillDefaults(input);
  const shown = sliceGrid(input.grid, history, input.grid.length);
  const whole = new JoinedEvaluation(shown);
  for (let from = 0; from < wanted; ) {
    const to = Math.min(wanted, from + step);
    const { rejected = input.rejected, memory = input.memory } = whole.last ?? {};
    const next = { ...input, grid: sliceGrid(grid, from, to + history), rejected, memory };
    const slice = cutAtShift(model, next);
    const evaluated = await evaluateSlice(model, slice, { ...deps, calm: whole.isLastClean });
    const length = slice.grid.length - history;
    if (length === wanted) return { ...evaluated, grid: shown };
    whole.add(evaluated, from);
    from += length;
  }
  return whole.toEvaluation();
}

/** Cuts a slice before a step to another level: windows after it hold the step's history at that level. */
function cutAtShift(model: TrainedModel, input: EvaluateInput): EvaluateInput {
  const { grid } = input;
  const from = historyOf(model);
  if (grid.length - from <= 1) return input;
  const indices = networksOf(model)
    .flatMap((network) => removeBaseline(network, { input, from }).shifts)
    .map(({ at }) => (at - grid.startAt) / grid.intervalMs)
    .filter((index) => index > from);
  return indices.length === 0 ? input : { ...input, grid: sliceGrid(grid, 0, Math.min(...indices)) };
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
  deps: NetworkDeps,
): Promise<Evaluation> {
  const from = historyOf(model);
  const features: FeatureEvaluation[] = [];
  for (const network of networksOf(model)) {
    features.push(await evaluateFeature(network, paramsOf(model, network), { input, from, ...deps }));
  }
  const cut = (key: keyof Band) =>
    Object.fromEntries(features.map((feature) => [feature.name, feature[key].subarray(from)]));
  const drift = driftOf(features);
  const joint = jointOf(model);
  const isJoint = joint && features.every(({ network }) => usesEnsemble(network, input.settings));
  const together = isJoint ? scoreJoint(joint, features, { input, from }) : undefined;
  return {
    grid: sliceGrid(input.grid, from, input.grid.length),
    predicted: cut("predicted"),
    lower: cut("lower"),
    upper: cut("upper"),
    scores: Array.from({ length: input.grid.length - from }, (_, k) =>
      scorePoint(features, from + k, together),
    ),
    rejected: Object.fromEntries(features.map((feature) => [feature.name, instantsOf(feature, input.grid)])),
    levelShifts: features.flatMap(({ name, shifts }) => shifts.map((shift) => ({ feature: name, ...shift }))),
    memory: { ...memoryOf(features), ...(together && { [JOINT_KEY]: together.memory }) },
    ...(drift && { drift }),
  };
}

async function evaluateFeature(
  network: FeatureNetwork,
  params: Float32Array,
  deps: { input: EvaluateInput; from: number } & NetworkDeps,
): Promise<FeatureEvaluation> {
  const { name } = network;
  const { input, from } = deps;
  const pass = await runNetwork(network, params, deps);
  const scored = scoreFeature({ ...pass, network, from, input });
  const memory = scored.memory && { ...scored.memory, baseline: pass.baseline };
  return {
    name,
    network,
    ...scored,
    ...withinBounds(pass.restore(scored), { network, input }),
    column: input.grid.columns[name]!,
    flat: pass.column,
    ...(memory && { memory }),
    rejected: pass.rejected,
    shifts: pass.shifts,
  };
}

/** The band within the least and greatest possible value: those set, else those that the training range showed. */
function withinBounds(
  band: Band,
  { network, input }: { network: FeatureNetwork; input: EvaluateInput },
): Band {
  const column = input.grid.columns[network.name]!;
  const limits = input.settings.features.find(({ name }) => name === network.name) ?? {};
  const { forecast = { nonNegative: false } } = network;
  const nonNegative = forecast.nonNegative && !column.some((value) => value < 0);
  const bounds = boundsOf({ ...forecast, nonNegative }, limits, column);
  const { predicted, lower, upper } = band;
  return {
    predicted: clampTo(bounds, predicted),
    lower: clampTo(bounds, lower),
    upper: clampTo(bounds, upper),
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

function instantsOf({ rejected }: FeatureEvaluation, { startAt, intervalMs }: Grid): readonly number[] {
  return Array.from(rejected.entries())
    .filter(([, flag]) => flag === 1)
    .map(([i]) => startAt + i * intervalMs);
}
