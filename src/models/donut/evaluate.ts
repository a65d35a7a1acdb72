// Evaluation of known data: networks run in a worker, then units, bands and scores are applied here.
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import { type Grid, sliceGrid } from "../../core/series/grid.ts";
import { finishInSteps, oneAhead } from "../../runtime/steps.ts";
import { nextClockChange } from "../detectors/clock-change.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { boundsOf, clampTo } from "../forecasters/bounds.ts";
import type { Drift, EvaluateInput, Evaluation, KindMemory, TrainedModel } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import type { Band } from "./band.ts";
import { scoreFeature, usesEnsemble } from "./feature-score.ts";
import { JOINT_KEY, type JointFeature, scoreJoint } from "./joint/score.ts";
import { type NetworkDeps, type NetworkPass, removeBaseline, runNetwork } from "./network-pass.ts";
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
 * slices, each from the memory of the one before, so that workers and the server thread serve others in between. The
 * networks of a slice run while the one before is scored.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function evaluateDonut(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Omit<NetworkDeps, "calm">,
): Promise<Evaluation> {
  const history = historyOf(model);
  const shown = sliceGrid(input.grid, history, input.grid.length);
  const whole = new JoinedEvaluation(shown);
  let { memory } = input;
  for await (const { from, ...passed } of oneAhead(passedSlices(model, input, deps))) {
    const evaluated = await finishInSteps(scoreSlice(model, passed, memory), deps.context.signal);
    if (evaluated.grid.length === shown.length) return { ...evaluated, grid: shown };
    whole.add(evaluated, from);
    memory = evaluated.memory;
  }
  return whole.toEvaluation();
}

interface PassedSlice {
  readonly slice: EvaluateInput;
  /** Index of its first interval. */
  readonly from: number;
  readonly passes: readonly FeaturePass[];
  /** See `Evaluation`. */
  readonly rejected: Evaluation["rejected"];
}

interface FeaturePass extends NetworkPass {
  readonly network: FeatureNetwork;
}

/** Slices of a grid with the passes of their networks, which depend on earlier passes alone. */
async function* passedSlices(
  model: TrainedModel,
  input: EvaluateInput,
  deps: Omit<NetworkDeps, "calm">,
): AsyncGenerator<PassedSlice, void> {
  const history = historyOf(model);
  const wanted = input.grid.length - history;
  const step = sliceLength(networksOf(model), deps.options);
  const grid = fillDefaults(input);
  let { rejected, memory } = input;
  let calm = false;
  for (let from = 0; from < wanted; ) {
    const to = Math.min(wanted, from + step);
    const next = { ...input, grid: sliceGrid(grid, from, to + history), rejected, memory };
    const slice = cutAtShift(model, next);
    const passes: FeaturePass[] = [];
    for (const network of networksOf(model)) {
      const params = paramsOf(model, network);
      const pass = await runNetwork(network, params, { input: slice, from: history, ...deps, calm });
      passes.push({ ...pass, network });
    }
    rejected = rejectedOf(passes, slice.grid);
    yield { slice, from, passes, rejected };
    calm = passes.every((pass) => !pass.rejected.includes(1, history));
    memory = baselinesOf(passes, input.settings);
    from += slice.grid.length - history;
  }
}

/** What the networks of the next slice need of the memory. */
function baselinesOf(passes: readonly FeaturePass[], settings: EvaluateInput["settings"]): KindMemory {
  const followed = passes.filter(({ network }) => usesEnsemble(network, settings));
  return Object.fromEntries(
    followed.map(({ name, network, baseline }) => [name, { of: network.loss, baseline }]),
  );
}

/**
 * Cuts a slice before a step to another level and before a change of the clock: windows after them hold their history at
 * that level and by that clock.
 */
function cutAtShift(model: TrainedModel, input: EvaluateInput): EvaluateInput {
  const { grid } = input;
  const from = historyOf(model);
  if (grid.length - from <= 1) return input;
  const shifts = networksOf(model).flatMap((network) => removeBaseline(network, { input, from }).shifts);
  const indices = shifts
    .map(({ at }) => (at - grid.startAt) / grid.intervalMs)
    .filter((index) => index > from);
  const change = nextClockChange(timelineOf(input.settings, grid), from, grid.length);
  const end = Math.min(grid.length, change ?? grid.length, ...indices);
  return end === grid.length ? input : { ...input, grid: sliceGrid(grid, 0, end) };
}

/** Fills defaults in the whole grid: the previous value of an empty interval may lie in an earlier slice. */
function fillDefaults({ grid, settings }: EvaluateInput): Grid {
  const columns = settings.features.map(({ name, default: fallback }) => {
    return [name, toModelColumn(grid.columns[name]!, fallback)] as const;
  });
  return { ...grid, columns: { ...grid.columns, ...Object.fromEntries(columns) } };
}

/** @param memory of the slice before; that of the passes has what networks need alone */
function* scoreSlice(
  model: TrainedModel,
  { slice, passes, rejected }: Omit<PassedSlice, "from">,
  memory: KindMemory | undefined,
): Generator<void, Evaluation> {
  const input = { ...slice, memory };
  const from = historyOf(model);
  const features: FeatureEvaluation[] = [];
  for (const pass of passes) features.push(yield* scorePass(pass, { input, from }));
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
    rejected,
    levelShifts: features.flatMap(({ name, shifts }) => shifts.map((shift) => ({ feature: name, ...shift }))),
    memory: { ...memoryOf(features), ...(together && { [JOINT_KEY]: together.memory }) },
    ...(drift && { drift }),
  };
}

function* scorePass(
  { network, ...pass }: FeaturePass,
  { input, from }: { input: EvaluateInput; from: number },
): Generator<void, FeatureEvaluation> {
  const { name } = network;
  const scored = yield* scoreFeature({ ...pass, network, from, input });
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

/** Per feature, starts of the intervals (ms) at which a point was rejected. */
function rejectedOf(passes: readonly FeaturePass[], { startAt, intervalMs }: Grid): Evaluation["rejected"] {
  const instantsOf = (flags: Uint8Array) =>
    Array.from(flags.entries())
      .filter(([, flag]) => flag === 1)
      .map(([i]) => startAt + i * intervalMs);
  return Object.fromEntries(passes.map(({ name, rejected }) => [name, instantsOf(rejected)]));
}
