// Training of a Donut network: runs of many steps, validation in between, early stopping on the ELBO.
import { Canceled, type Control } from "../control.ts";
import { adamRates } from "../grad/adam.ts";
import type { Checkpoint, DonutShape, TrainResult, TrainTask } from "../protocol.ts";
import { createRandom, normals, type Random } from "../random.ts";
import type { SessionCache } from "../sessions.ts";
import { keyOf, layoutOf, parameterCount } from "./layout.ts";
import { buildTrainingModel, buildValidationModel } from "./training-graph.ts";
import {
  BatchStream,
  copyWindow,
  createRows,
  feedCondition,
  RowBuffer,
  stretchStarts,
  thin,
  toMasked,
  windowStarts,
} from "./windows.ts";

/** Duration of a run: long enough to amortise its overhead, short enough for a prompt cancellation. */
const CHUNK_MS = 150;
const FIRST_CHUNK_STEPS = 10;
/** Windows of the validation loss: enough for three digits. */
const MAX_VALIDATION_WINDOWS = 768;
/** Windows of an epoch over stretches: more than the optimiser draws. */
const MAX_EPOCH_WINDOWS = 200_000;

/** Runs until `maxSteps`, or until the loss has not improved for `patience` validations. @throws Canceled */
export async function train(task: TrainTask, sessions: SessionCache, control: Control): Promise<TrainResult> {
  const { shape, series, options } = task;
  const starts = task.stretches
    ? stretchStarts(series, shape.window, task.stretches.training, MAX_EPOCH_WINDOWS)
    : windowStarts(series, shape.window, [0, task.validationFrom]);
  if (starts.length === 0) throw new Error("no training window holds an observed point");
  const batch = Math.min(options.batchSize, starts.length);
  const resumed = task.resume?.step ?? 0;
  // A resumed training draws new random numbers. Batches and noise have separate sources, so that the number of steps
  // per run, which depends on the speed of the machine, changes neither.
  const [random, noise] = [createRandom(task.seed + resumed), createRandom(~(task.seed + resumed))];
  const hiding = { injection: options.injection, tails: options.hiddenTails };
  const stream = new BatchStream(series, starts, { shape, batch, ...hiding, random });
  const stepper = await createStepper(task, sessions, { batch, stream, noise });
  const validation = await createValidation(task, sessions, starts);
  const curve: [number, number][] = [];
  let checkpoint = task.resume ?? initialise(shape, random);
  let best = { params: checkpoint.params, loss: Number.POSITIVE_INFINITY, look: 0 };
  for (let look = 0; checkpoint.step < options.maxSteps && look - best.look < options.patience; ) {
    const target = Math.min(options.maxSteps, checkpoint.step + options.validateEvery);
    while (checkpoint.step < target) {
      if (control.isCanceled()) throw new Canceled();
      checkpoint = await stepper(checkpoint, target);
      control.report({
        step: checkpoint.step,
        maxSteps: options.maxSteps,
        ...(look > 0 && { loss: best.loss }),
      });
    }
    const loss = await validation(checkpoint.params);
    curve.push([checkpoint.step, loss]);
    look++;
    if (loss < best.loss) best = { params: checkpoint.params, loss, look };
    if (!Number.isFinite(loss)) break;
  }
  if (!Number.isFinite(best.loss)) throw new Error("training diverged: the validation loss is not finite");
  return {
    best: best.params,
    loss: best.loss,
    last: checkpoint,
    curve,
    converged: checkpoint.step < options.maxSteps,
  };
}

/** Kernels: normal with variance 2/fan-in before a ReLU, 1/fan-in in the heads; biases 0. */
function initialise(shape: DonutShape, random: Random): Checkpoint {
  const n = parameterCount(shape);
  const params = new Float32Array(n);
  for (const { name, dims, offset, size } of layoutOf(shape)) {
    if (!name.endsWith("kernel")) continue;
    const isHead = name.startsWith("z") || name.startsWith("x");
    const deviation = Math.sqrt((isHead ? 1 : 2) / dims[0]!);
    for (let i = 0; i < size; i++) params[offset + i] = deviation * random.normal();
  }
  return { params, momentum: new Float32Array(n), variance: new Float32Array(n), step: 0 };
}

type Stepper = (from: Checkpoint, target: number) => Promise<Checkpoint>;

/** Runs as many steps towards `target` as fit in CHUNK_MS. The result does not depend on the number of steps per run. */
async function createStepper(
  { shape, options }: TrainTask,
  sessions: SessionCache,
  { batch, stream, noise: source }: { batch: number; stream: BatchStream; noise: Random },
): Promise<Stepper> {
  const key = `train|${keyOf(shape)}|${batch}|${options.clipNorm}|${options.l2}`;
  const session = await sessions.get(key, () => buildTrainingModel(shape, { ...options, batch }));
  const n = parameterCount(shape);
  const buffer = new RowBuffer(shape);
  let chunk = FIRST_CHUNK_STEPS;
  return async (from, target) => {
    const steps = Math.min(chunk, target - from.step);
    const rows = buffer.take(steps * batch);
    for (let s = 0; s < steps; s++) stream.fill(rows, s * batch);
    const noise = normals(steps * batch * shape.latent, source);
    const rates = Array.from({ length: steps }, (_, s) =>
      adamRates(from.step + s + 1, learningRateAt(options, from.step + s), batch),
    );
    const startedAt = performance.now();
    const out = await session.run({
      params: { data: from.params, dims: [1, n] },
      momentum: { data: from.momentum, dims: [1, n] },
      variance: { data: from.variance, dims: [1, n] },
      x: { data: rows.x, dims: [steps, batch, shape.window] },
      mask: { data: rows.mask, dims: [steps, batch, shape.window] },
      noise: { data: noise, dims: [steps, shape.latent, batch] },
      ...feedCondition(rows, shape, [steps, batch]),
      rate: { data: Float32Array.from(rates, ({ rate }) => rate), dims: [steps] },
      epsilon: { data: Float32Array.from(rates, ({ epsilon }) => epsilon), dims: [steps] },
      steps,
    });
    const stepMs = (performance.now() - startedAt) / steps;
    chunk = Math.max(1, Math.min(400, Math.ceil(CHUNK_MS / stepMs)));
    return {
      params: out.params_out!,
      momentum: out.momentum_out!,
      variance: out.variance_out!,
      step: from.step + steps,
    };
  };
}

/** Learning rate at the end of the cosine, as a share of the peak. */
const FINAL_RATE_SHARE = 0.02;

/** Linear warm-up, then half a cosine (arXiv 1608.03983). */
export function learningRateAt(options: TrainTask["options"], step: number): number {
  const { learningRate, warmUpSteps, scheduleSteps } = options;
  const warmUp = Math.min(1, (step + 1) / warmUpSteps);
  const cosine = (1 + Math.cos(Math.PI * Math.min(1, step / scheduleSteps))) / 2;
  return learningRate * warmUp * (FINAL_RATE_SHARE + (1 - FINAL_RATE_SHARE) * cosine);
}

/** Negative ELBO per observed point over the windows that end in the validation part, with fixed noise. */
async function createValidation(
  task: TrainTask,
  sessions: SessionCache,
  trainingStarts: Int32Array,
): Promise<(params: Float32Array) => Promise<number>> {
  const { shape, series } = task;
  const from = Math.max(0, task.validationFrom - shape.window + 1);
  const held = task.stretches
    ? stretchStarts(series, shape.window, task.stretches.validation, MAX_VALIDATION_WINDOWS)
    : windowStarts(series, shape.window, [from, series.values.length]);
  const starts = thin(held.length > 0 ? held : trainingStarts, MAX_VALIDATION_WINDOWS);
  const rows = createRows(starts.length, shape);
  const masked = toMasked(series);
  for (const [row, start] of starts.entries()) copyWindow(masked, rows, { start, row, shape });
  const noise = normals(starts.length * shape.latent, createRandom(task.seed ^ 0x5eed));
  const key = `validate|${keyOf(shape)}`;
  const session = await sessions.get(key, () => buildValidationModel(shape));
  const { constant, points } = elboConstants(rows.mask, noise, shape);
  return async (params) => {
    const out = await session.run({
      params: { data: params, dims: [params.length] },
      x: { data: rows.x, dims: [starts.length, shape.window] },
      mask: { data: rows.mask, dims: [starts.length, shape.window] },
      noise: { data: noise, dims: [shape.latent, starts.length] },
      ...feedCondition(rows, shape, [starts.length]),
    });
    return (out.loss![0]! + constant) / points;
  };
}

/** The terms of the ELBO that do not depend on the parameters, which the graphs leave out. */
function elboConstants(
  mask: Float32Array,
  noise: Float32Array,
  shape: DonutShape,
): { constant: number; points: number } {
  const half = 0.5 * Math.log(2 * Math.PI);
  const points = mask.reduce((sum, value) => sum + value, 0);
  const windows = mask.length / shape.window;
  const prior = half * shape.latent * (points / shape.window - windows);
  const entropy = 0.5 * noise.reduce((sum, value) => sum + value * value, 0);
  return { constant: half * points + prior - entropy, points };
}
