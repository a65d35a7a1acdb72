// What a model kind is: it turns grids into trained versions, and trained versions plus grids into predictions.
import type { TaskProgress, Tasks } from "../../wasm/protocol.ts";
import type { Grid } from "../core/grid.ts";
import type { JobProgress } from "../core/job.ts";
import type { ModelSettings } from "../core/model.ts";

export interface ComputeOptions {
  /** Predictions have a lane of their own: they never wait behind a training. */
  readonly lane: "training" | "prediction";
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TaskProgress) => void;
}

/** Runs a task in a worker. Rejects with TorusError `canceled` or `worker_crashed`. */
export interface Compute {
  run<K extends keyof Tasks>(
    task: Tasks[K]["task"] & { kind: K },
    options: ComputeOptions,
  ): Promise<Tasks[K]["result"]>;
  /** How many trainings can run side by side. */
  readonly trainingLanes: number;
}

export interface Context {
  readonly compute: Compute;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: JobProgress) => void;
}

/** A trained version as it is stored: one flat array of weights and what is needed to read it. */
export interface TrainedModel {
  readonly weights: Float32Array;
  /** Per feature: shape, place in `weights`, standardisation, calibration; JSON, owned by the kind. */
  readonly parameters: Record<string, unknown>;
  /** What `state` shows: `loss`, `span`, `points`, ... never null. */
  readonly summary: Record<string, number | string | boolean>;
}

export interface TrainOverrides {
  readonly maxEvals?: number;
  readonly epochs?: number;
  readonly seed?: number;
  /** Start from these weights instead of at random. */
  readonly from?: TrainedModel;
}

export interface TrainInput {
  readonly settings: ModelSettings;
  /** One column per feature, empty intervals already filled by the feature's `default`. */
  readonly grid: Grid;
  readonly overrides: TrainOverrides;
}

/** Predicted distribution per feature, in the units of the data; columns named by feature, NaN-free. */
export interface Prediction {
  readonly grid: Grid;
  readonly predicted: Readonly<Record<string, Float64Array>>;
  readonly lower: Readonly<Record<string, Float64Array>>;
  readonly upper: Readonly<Record<string, Float64Array>>;
}

export interface FeatureScore {
  readonly type: "low" | "high";
  readonly score: number;
}

/** One per interval. */
export interface PointScore {
  /** 0..100, the highest of the features. */
  readonly score: number;
  readonly anomaly: boolean;
  /** The features that take part in the anomaly; empty outside of one. */
  readonly anomalies: Readonly<Record<string, FeatureScore>>;
  readonly mse: number | null;
  readonly nll: number | null;
}

export interface Evaluation extends Prediction {
  readonly stats: readonly PointScore[];
}

export interface ModelKind {
  readonly kind: string;
  /** @throws TorusError `no_data`, `too_little_data` (with numbers found and needed), `canceled`, `worker_crashed` */
  train(input: TrainInput, context: Context): Promise<TrainedModel>;
  /** Intervals of history the kind wants before the first point it predicts. */
  historyOf(model: TrainedModel): number;
  /** `grid` starts `historyOf(model)` intervals before the range; the answer covers the range alone. */
  evaluate(
    model: TrainedModel,
    input: { settings: ModelSettings; grid: Grid; level: number },
    context: Context,
  ): Promise<Evaluation>;
  /** `history` ends where the forecast starts; nothing after it is known to the model. */
  forecast(
    model: TrainedModel,
    input: { settings: ModelSettings; history: Grid; horizon: number; level: number },
    context: Context,
  ): Promise<Prediction>;
}
