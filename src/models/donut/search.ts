// Hyper-parameter search: random trials under successive halving, concurrent over the training lanes.
import type { DonutShape, Series, Stretches, TrainOptions, TrainResult } from "../../../wasm/protocol.ts";
import type { Context } from "../kind.ts";
import { stepsOfEpoch } from "./options.ts";

/** Window lengths of an automatic span, in order of preference. */
const WINDOWS = [120, 96, 48, 24, 12, 8];
const HIDDEN = [64, 96, 48, 112, 32];
const LATENT = [8, 5, 12, 3, 16];
/** Least length of the training part, in windows. */
export const WINDOWS_OF_HISTORY = 4;
/** One trial in this many survives a rung. */
const REDUCTION_FACTOR = 3;

export interface SpanRules {
  readonly span?: number | undefined;
  readonly minSpan?: number | undefined;
  readonly maxSpan?: number | undefined;
}

interface WindowChoice {
  /** The longest allowed window with enough points, in intervals. */
  readonly window: number;
  /** The shortest allowed window, the fallback. */
  readonly shortest: number;
}

/** Chooses the window for a number of points. */
export function chooseWindow(rules: SpanRules, points: number): WindowChoice {
  if (rules.span !== undefined) return { window: rules.span, shortest: rules.span };
  const min = rules.minSpan ?? 1;
  const max = rules.maxSpan ?? Number.POSITIVE_INFINITY;
  const within = WINDOWS.filter((window) => window >= min && window <= max);
  const allowed = within.length > 0 ? within : [Math.max(min, Math.min(max, WINDOWS[0]!))];
  const shortest = allowed.at(-1)!;
  return {
    window: allowed.find((window) => window * WINDOWS_OF_HISTORY <= points) ?? shortest,
    shortest,
  };
}

/** The longest window that an automatic span may choose. */
export function longestWindow(minSpan?: number, maxSpan?: number): number {
  return chooseWindow({ minSpan, maxSpan }, Number.POSITIVE_INFINITY).window;
}

/**
 * Shapes to try: the default first, then others in random order, all of one window. Losses of different windows are not
 * comparable, as short windows are easier to reconstruct.
 * @param random uniform in [0, 1)
 * @returns `trials` shapes, or all there are
 */
export function proposeShapes(window: number, trials: number, random: () => number): readonly DonutShape[] {
  const [first, ...others] = HIDDEN.flatMap((hidden) => LATENT.map((latent) => ({ window, hidden, latent })));
  const drawn = others.map((shape) => ({ shape, order: random() })).sort((a, b) => a.order - b.order);
  return [first!, ...drawn.slice(0, trials - 1).map(({ shape }) => shape)];
}

export interface SearchInput {
  readonly series: Series;
  readonly validationFrom: number;
  /** Of a joined series; absent: all windows of the series. */
  readonly stretches?: Stretches;
  readonly shapes: readonly DonutShape[];
  readonly options: TrainOptions;
  readonly seed: number;
  /** Initial weights, for a single shape; absent: random. */
  readonly initial?: Float32Array;
}

export interface SearchResult {
  readonly shape: DonutShape;
  readonly params: Float32Array;
  readonly loss: number;
}

interface Trial {
  readonly shape: DonutShape;
  readonly seed: number;
  best?: { params: Float32Array; loss: number };
  last?: TrainResult["last"];
  converged: boolean;
  steps: number;
}

/**
 * Successive halving (arXiv 1502.07943): every trial runs a sixteenth of the steps, the best third of them a quarter, and
 * the best third of these all. The lowest validation loss wins.
 */
export async function search(input: SearchInput, context: Context): Promise<SearchResult> {
  let trials = input.shapes.map((shape, i) => startTrial(input, shape, i));
  const progress = trackProgress(trials, input, context);
  for (const share of rungsOf(trials.length)) {
    const maxSteps = Math.max(1, Math.round(input.options.maxSteps * share));
    await Promise.all(trials.map((trial) => advance(input, trial, { maxSteps, context, progress })));
    trials.sort((a, b) => a.best!.loss - b.best!.loss);
    if (share < 1) trials = progress.keep(trials, survivorsOf(trials.length));
  }
  progress.keep(trials, 0);
  const winner = trials[0]!;
  return { shape: winner.shape, params: winner.best!.params, loss: winner.best!.loss };
}

/** Shares of the steps at which the trials are reduced to a third; a single trial runs through. */
function rungsOf(trials: number): readonly number[] {
  return trials === 1 ? [1] : trials <= REDUCTION_FACTOR ? [1 / 4, 1] : [1 / 16, 1 / 4, 1];
}

/** Number of trials that survive a rung. */
function survivorsOf(trials: number): number {
  return Math.ceil(trials / REDUCTION_FACTOR);
}

function startTrial({ seed, initial }: SearchInput, shape: DonutShape, index: number): Trial {
  const trial: Trial = { shape, seed: seed * 1000 + index, converged: false, steps: 0 };
  if (!initial) return trial;
  const zeros = () => new Float32Array(initial.length);
  return { ...trial, last: { params: initial, momentum: zeros(), variance: zeros(), step: 0 } };
}

interface Advance {
  readonly maxSteps: number;
  readonly context: Context;
  readonly progress: SearchProgress;
}

async function advance(
  input: SearchInput,
  trial: Trial,
  { maxSteps, context, progress }: Advance,
): Promise<void> {
  // Of a few steps in all, two rungs end at the same one.
  const isDone = trial.best !== undefined && trial.last!.step >= maxSteps;
  if (trial.converged || isDone) return;
  const result = await context.compute.run(
    {
      kind: "train",
      shape: trial.shape,
      series: input.series,
      validationFrom: input.validationFrom,
      ...(input.stretches && { stretches: input.stretches }),
      seed: trial.seed,
      options: { ...input.options, maxSteps },
      ...(trial.last && { resume: trial.last }),
    },
    {
      lane: "training",
      signal: context.signal,
      onProgress: ({ step, loss }) => progress.step(trial, step, loss),
    },
  );
  progress.step(trial, result.last.step, result.loss);
  if (!trial.best || result.loss < trial.best.loss) trial.best = { params: result.best, loss: result.loss };
  trial.last = result.last;
  trial.converged = result.converged;
}

interface SearchProgress {
  step(trial: Trial, step: number, loss: number | undefined): void;
  keep(trials: Trial[], count: number): Trial[];
}

/** Sums the steps of the trials into the progress of the job. */
function trackProgress(
  all: readonly Trial[],
  { options, validationFrom }: SearchInput,
  context: Context,
): SearchProgress {
  const stepsPerEpoch = stepsOfEpoch(options.batchSize, validationFrom);
  const planned = plannedSteps(all.length, options.maxSteps);
  let decided = 0;
  let loss: number | undefined;
  const report = () => {
    const done = all.reduce((sum, trial) => sum + trial.steps, 0);
    const deepest = Math.max(...all.map((trial) => trial.steps));
    context.onProgress({
      eval: decided,
      max_evals: all.length,
      epoch: Math.ceil(deepest / stepsPerEpoch),
      epochs: Math.ceil(options.maxSteps / stepsPerEpoch),
      ...(loss !== undefined && { loss }),
      fraction: Math.min(1, decided === all.length ? 1 : done / planned),
    });
  };
  return {
    step: (trial, step, seen) => {
      trial.steps = step;
      if (seen !== undefined) loss = loss === undefined ? seen : Math.min(loss, seen);
      report();
    },
    keep: (trials, count) => {
      decided += trials.length - count;
      report();
      return trials.slice(0, count);
    },
  };
}

function plannedSteps(trials: number, maxSteps: number): number {
  let left = trials;
  let before = 0;
  let total = 0;
  for (const share of rungsOf(trials)) {
    total += left * (share - before) * maxSteps;
    before = share;
    left = survivorsOf(left);
  }
  return total;
}
