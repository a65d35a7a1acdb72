// Messages between the server and a compute worker, and the shapes they carry. The only file src may import from wasm.

/** Size of one Donut network. */
export interface DonutShape {
  /** Window length W, in intervals. */
  readonly window: number;
  /** Width H of both hidden layers of the encoder and of the decoder. */
  readonly hidden: number;
  /** Dimension Z of the latent. */
  readonly latent: number;
  /** Numbers C that a window comes with beside its points; absent: none. */
  readonly condition?: number;
}

/** A standardised series: zero mean, unit deviation over the training part; `values` is 0 where `observed` is 0. */
export interface Series {
  readonly values: Float32Array;
  /** 1 = observed, 0 = missing; as long as `values`. */
  readonly observed: Uint8Array;
  /** Row-major [points, C], known also where a point is missing: a window comes with its last point's. Absent: C is 0. */
  readonly conditions?: Float32Array;
}

/** Everything needed to go on with a training where it stopped. All three are `parameterCount(shape)` long. */
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
  /** Highest learning rate: reached after `warmUpSteps`, then it falls along a cosine until `scheduleSteps`. */
  readonly learningRate: number;
  readonly warmUpSteps: number;
  /** Steps of the whole training, also where this run ends earlier. */
  readonly scheduleSteps: number;
  /** Bound of the global norm of a batch's mean gradient. */
  readonly clipNorm: number;
  /** L2 weight on the kernels (not the biases). */
  readonly l2: number;
  /** Share of observed points hidden anew each epoch (missing-data injection, section 3.2 of the paper). */
  readonly injection: number;
  /**
   * Share of training windows whose end is hidden, up to half of the window. An extension of the paper's injection:
   * without it the network never sees what a forecast asks of it (MASE on nyc_taxi 1.60 without, 1.06 with 0.15).
   */
  readonly hiddenTails: number;
  /** The run ends at this optimiser step (counted over all runs of a resumed training). */
  readonly maxSteps: number;
  /** Optimiser steps between two looks at the validation loss. */
  readonly validateEvery: number;
  /** The run ends after this many looks without a better validation loss. */
  readonly patience: number;
}

/** Trains on windows that end before `validationFrom` and watches those that end at or after it. */
export interface TrainTask {
  readonly kind: "train";
  readonly shape: DonutShape;
  readonly series: Series;
  /** Index of the first point of the validation part. */
  readonly validationFrom: number;
  readonly seed: number;
  readonly options: TrainOptions;
  readonly resume?: Checkpoint;
}

export interface TrainResult {
  /** Parameters with the best validation loss seen. */
  readonly best: Float32Array;
  /** Negative ELBO per point on the validation windows, nats; of `best`. */
  readonly loss: number;
  /** To go on from. */
  readonly last: Checkpoint;
  /** (step, validation loss) at every look. */
  readonly curve: readonly (readonly [number, number])[];
  /** True where patience ran out: going on is of no use. */
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
  /** A point with a higher nll than this is not believed: it is missing for later windows. Absent: all are believed. */
  readonly rejectAbove?: number;
  /** 1 where an earlier task did not believe a point; as long as the series. Absent: all are believed so far. */
  readonly rejected?: Uint8Array;
  /** The points before were all believed: large batches at once, for these may be too. */
  readonly clean?: boolean;
}

/** Arrays as long as the series; positions before the first full window are NaN. Standardised units. */
export interface ScoreResult {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /** Negative log density of the observed point; NaN where it is missing. */
  readonly nll: Float32Array;
  /** 1 where a point was not believed by later windows. */
  readonly rejected: Uint8Array;
}

/** Imputes `horizon` points after the end of the series. */
export interface ForecastTask {
  readonly kind: "forecast";
  readonly shape: DonutShape;
  readonly params: Float32Array;
  /** At least one window of history. */
  readonly series: Series;
  readonly horizon: number;
  /** Conditions of the points to come, row-major [horizon, C]; absent: C is 0. */
  readonly conditionsAhead?: Float32Array;
  readonly options: PredictOptions;
}

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

/** What each kind of task answers. */
export interface Tasks {
  train: { task: TrainTask; result: TrainResult };
  score: { task: ScoreTask; result: ScoreResult };
  forecast: { task: ForecastTask; result: ForecastResult };
  batch: { task: BatchTask; result: BatchResult };
}
export type TaskKind = keyof Tasks;
export type Task = Tasks[TaskKind]["task"];
export type TaskResult = Tasks[TaskKind]["result"];

export interface TaskProgress {
  readonly step: number;
  readonly maxSteps: number;
  /** Validation loss, where one is known. */
  readonly loss?: number;
}

/** Server to worker. `cancel[0]` becomes 1 when the answer is no longer wanted. */
export interface TaskMessage {
  readonly type: "task";
  readonly id: number;
  readonly task: Task;
  readonly cancel: SharedArrayBuffer;
}

/** Worker to server. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly id: number; readonly progress: TaskProgress }
  | { readonly type: "done"; readonly id: number; readonly result: TaskResult }
  | { readonly type: "canceled"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly message: string };
