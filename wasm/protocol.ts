// Protocol between the server and its compute workers: tasks, their results, and the messages that carry them.

/** Size of one Donut network. */
export interface DonutShape {
  /** Window length W, in intervals. */
  readonly window: number;
  /** Width H of both hidden layers of the encoder and of the decoder. */
  readonly hidden: number;
  /** Dimension Z of the latent. */
  readonly latent: number;
  /** Number C of conditions of a window, beside its points; absent: none. */
  readonly condition?: number;
}

/** A standardised series: zero mean, unit deviation over the training part; `values` is 0 where `observed` is 0. */
export interface Series {
  readonly values: Float32Array;
  /** 1 = observed, 0 = missing; as long as `values`. */
  readonly observed: Uint8Array;
  /** Row-major [points, C], also where a point is missing; a window has those of its last point. Absent: C is 0. */
  readonly conditions?: Float32Array;
}

/** State from which a training resumes. The arrays are `parameterCount(shape)` long. */
export interface Checkpoint {
  readonly params: Float32Array;
  /** Adam's first and second moments, in the scaled form of `grad/adam.ts`. */
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
  /** Optimiser steps done so far. */
  readonly step: number;
}

export interface TrainOptions {
  readonly batchSize: number;
  /** Peak learning rate: reached after `warmUpSteps`, then decayed along a cosine until `scheduleSteps`. */
  readonly learningRate: number;
  readonly warmUpSteps: number;
  /** Steps of the whole training, even if this run ends earlier. */
  readonly scheduleSteps: number;
  /** Upper bound of the global norm of a batch's mean gradient. */
  readonly clipNorm: number;
  /** L2 weight on the kernels (not the biases). */
  readonly l2: number;
  /** Share of observed points hidden, drawn for each epoch (missing-data injection, section 3.2 of the paper). */
  readonly injection: number;
  /**
   * Share of training windows whose end is hidden, up to half of the window. Extends the paper's injection: a forecast
   * is the imputation of such an end.
   */
  readonly hiddenTails: number;
  /** The run ends at this optimiser step, counted over all runs of a resumed training. */
  readonly maxSteps: number;
  /** Optimiser steps between two validations. */
  readonly validateEvery: number;
  /** The run ends after this many validations without a lower loss. */
  readonly patience: number;
}

/** Part of a series joined from several, in points; no window crosses its ends. */
export interface Stretch {
  /** Number of the joined series: an epoch has as many windows of each. */
  readonly source: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The stretches of a joined series. */
export interface Stretches {
  readonly training: readonly Stretch[];
  readonly validation: readonly Stretch[];
}

/** Trains on windows that end before `validationFrom`, validates on those that end at or after it. */
export interface TrainTask {
  readonly kind: "train";
  readonly shape: DonutShape;
  readonly series: Series;
  /** Index of the first point of the validation part. */
  readonly validationFrom: number;
  /** Of a joined series; absent: all windows of the series. */
  readonly stretches?: Stretches;
  readonly seed: number;
  readonly options: TrainOptions;
  readonly resume?: Checkpoint;
}

export interface TrainResult {
  /** Parameters with the lowest validation loss. */
  readonly best: Float32Array;
  /** Negative ELBO per point on the validation windows, nats; of `best`. */
  readonly loss: number;
  /** State to resume from. */
  readonly last: Checkpoint;
  /** (step, loss) of every validation. */
  readonly curve: readonly (readonly [number, number])[];
  /** Whether the patience was exhausted. */
  readonly converged: boolean;
}

export interface PredictOptions {
  /** Latent samples L per window; 0 = the latent's mean alone (one decoder pass). */
  readonly samples: number;
  /** MCMC iterations M that impute the missing points of a window. */
  readonly iterations: number;
  readonly seed: number;
}

/** Scores the last point of every window of the series. */
export interface ScoreTask {
  readonly kind: "score";
  readonly shape: DonutShape;
  readonly params: Float32Array;
  readonly series: Series;
  readonly options: PredictOptions;
  /** A point with a higher nll is rejected: it is missing for later windows. Absent: none is rejected. */
  readonly rejectAbove?: number;
  /** 1 where an earlier task rejected the point; as long as the series. Absent: none. */
  readonly rejected?: Uint8Array;
  /** No preceding point was rejected: start with large batches. */
  readonly clean?: boolean;
}

/** Arrays as long as the series; positions before the first full window are NaN. Standardised units. */
export interface ScoreResult {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /** Negative log density of the observed point; NaN where it is missing. */
  readonly nll: Float32Array;
  /** 1 where a point was rejected. */
  readonly rejected: Uint8Array;
}

/** Imputes `horizon` points after the end of the series. */
export interface ForecastTask {
  readonly kind: "forecast";
  readonly shape: DonutShape;
  readonly params: Float32Array;
  /** At least one window of history; of several, one after the other, as long as one another. */
  readonly series: Series;
  /** Histories that are forecast side by side; default: 1. */
  readonly count?: number;
  readonly horizon: number;
  /** Conditions of the horizon, row-major [count, horizon, C]; absent: C is 0. */
  readonly conditionsAhead?: Float32Array;
  readonly options: PredictOptions;
}

/** Row-major [count, horizon]. */
export interface ForecastResult {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

/** Scores every point of the series at every position of the windows it lies in. */
export interface BatchTask {
  readonly kind: "batch";
  readonly shape: DonutShape;
  readonly params: Float32Array;
  readonly series: Series;
  /** Intervals between the starts of two windows; 1 = all windows. */
  readonly stride: number;
  readonly options: PredictOptions;
}

export interface BatchResult {
  /** As long as the series: median negative log density, standardised units; NaN where the point is missing. */
  readonly nll: Float32Array;
}

/** Tasks and results by kind. */
export interface Tasks {
  train: { task: TrainTask; result: TrainResult };
  score: { task: ScoreTask; result: ScoreResult };
  forecast: { task: ForecastTask; result: ForecastResult };
  batch: { task: BatchTask; result: BatchResult };
}
type TaskKind = keyof Tasks;
export type Task = Tasks[TaskKind]["task"];
export type TaskResult = Tasks[TaskKind]["result"];

/** Loads the runtime, so that a later task need not wait for it. */
export interface LoadTask {
  readonly kind: "load";
}

export interface TaskProgress {
  readonly step: number;
  readonly maxSteps: number;
  /** Last validation loss; absent before the first validation. */
  readonly loss?: number;
}

/** Server to worker. Setting `cancel[0]` to 1 cancels the task. */
export interface TaskMessage {
  readonly type: "task";
  readonly id: number;
  readonly task: Task | LoadTask;
  readonly cancel: SharedArrayBuffer;
  /** The runtime, where another worker has compiled it. */
  readonly runtime?: WebAssembly.Module | undefined;
}

/** Worker to server. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "compiled"; readonly runtime: WebAssembly.Module }
  | { readonly type: "progress"; readonly id: number; readonly progress: TaskProgress }
  | { readonly type: "done"; readonly id: number; readonly result: TaskResult | undefined }
  | { readonly type: "canceled"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly message: string };
