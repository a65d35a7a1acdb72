// What a model kind is: it turns grids into trained versions, and trained versions plus grids into predictions.
import type { TaskProgress, Tasks } from "../../wasm/protocol.ts";
import type { FalseAlarm } from "../core/anomaly/feedback.ts";
import type { JobProgress } from "../core/job.ts";
import type { ModelSettings } from "../core/model/model.ts";
import type { Grid, Range } from "../core/series/grid.ts";

export interface ComputeOptions {
  /** Predictions never wait behind a training, and live windows behind neither: they go before predictions. */
  readonly lane: "training" | "prediction" | "live";
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TaskProgress) => void;
  /** Arrays of the task that are its alone: they move to the worker in place of a copy, and are empty afterwards. */
  readonly transfer?: readonly Float32Array[];
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
  /** Anomalies, which must not be learnt: to the training these intervals are missing. */
  readonly excluded?: readonly Range[];
  /** False alarms: learnt as any other point, and the like of them is not to be raised again. */
  readonly tolerated?: readonly FalseAlarm[];
}

/** Predicted distribution per feature, in the units of the data; columns named by feature, NaN-free. */
export interface Prediction {
  readonly grid: Grid;
  readonly predicted: Readonly<Record<string, Float64Array>>;
  readonly lower: Readonly<Record<string, Float64Array>>;
  readonly upper: Readonly<Record<string, Float64Array>>;
}

export interface ForecastInput {
  readonly settings: ModelSettings;
  /** Ends where the forecast starts; nothing after it is known to the model. */
  readonly history: Grid;
  /** Intervals to forecast. */
  readonly horizon: number;
  /** Shares of what comes that the bands hold, 0..1: that of `lower` and `upper`, and those of further bands. */
  readonly level: number;
  readonly levels: readonly number[];
}

export interface Forecast extends Prediction {
  /** One per entry of `levels`, in their order. */
  readonly bands: readonly Pick<Prediction, "lower" | "upper">[];
}

export interface FeatureScore {
  readonly type: "low" | "high";
  readonly score: number;
  /** -log10 of the share of normal points that are so odd, unbounded; absent where the kind does not know it. */
  readonly rarity?: number;
}

/** What one interval scored. */
export interface PointScore {
  /** 0..100, the highest of the features; undefined where nothing was observed. */
  readonly score: number | undefined;
  /** Only the features that were observed. */
  readonly features: Readonly<Record<string, FeatureScore>>;
  readonly mse: number | null;
  /** Unbounded: ranks points beyond score 100. */
  readonly nll: number | null;
  /** Of a batch evaluation: what the score would be without what came later. */
  readonly causalScore?: number;
}

/** The series no longer looks as it did in training. */
export interface Drift {
  /** Feature that shows it most. */
  readonly feature: string;
  /** Start of the interval with which it began, ms since the epoch. */
  readonly sinceAt: number;
  /** Share of the last day's points rarer than one normal point in a hundred. */
  readonly share: number;
}

/** What a kind remembers from one evaluation to the next; JSON, owned by the kind. */
export type KindMemory = Readonly<Record<string, unknown>>;

export interface EvaluateInput {
  readonly settings: ModelSettings;
  /** Starts `historyOf(model)` intervals before the range. */
  readonly grid: Grid;
  /** Share of a Gaussian that the bands hold. */
  readonly level: number;
  /** Score each point with what came later in view: for looking back, never live. */
  readonly batch?: boolean;
  /** Per feature, starts of intervals (ms) that earlier evaluations found too odd to be believed as history. */
  readonly rejected?: Readonly<Record<string, readonly number[]>> | undefined;
  /** What the evaluation before this one left; absent: it begins where the training ended. */
  readonly memory?: KindMemory | undefined;
}

export interface Evaluation extends Prediction {
  readonly scores: readonly PointScore[];
  /** Those of the grid, history included: replaces the list that was passed in. */
  readonly rejected: Readonly<Record<string, readonly number[]>>;
  /** For the evaluation after this one: replaces what was passed in. */
  readonly memory?: KindMemory;
  /** After the last point; absent where there is none. */
  readonly drift?: Drift;
}

export interface ExportInput {
  /** In force: the version's shape, the model's present thresholds. */
  readonly settings: ModelSettings;
  /** Name of one of the version's features. */
  readonly feature: string;
  readonly producerVersion: string;
  /** What the file says of itself beside what the kind knows. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A version that comes from elsewhere, not yet checked but for its settings. */
export interface ForeignVersion {
  /** Settings it was trained with. */
  readonly settings: ModelSettings;
  readonly parameters: Record<string, unknown>;
  readonly weights: Float32Array;
}

export interface ModelKind {
  readonly kind: string;
  /** @throws TorusError `no_data`, `too_little_data` (with numbers found and needed), `canceled`, `worker_crashed` */
  train(input: TrainInput, context: Context): Promise<TrainedModel>;
  /** Intervals of history the kind wants before the first point it predicts. */
  historyOf(model: TrainedModel): number;
  /** The answer covers the range alone, without the history before it. */
  evaluate(model: TrainedModel, input: EvaluateInput, context: Context): Promise<Evaluation>;
  /** Intervals of history the kind wants before a forecast: more than evaluations want, which are read all the time. */
  forecastHistoryOf(model: TrainedModel): number;
  forecast(model: TrainedModel, input: ForecastInput, context: Context): Promise<Forecast>;
  /** The network of one feature as an ONNX file. */
  exportNetwork(model: TrainedModel, input: ExportInput): Uint8Array;
  /**
   * Checks that parameters and weights belong together and that every number is one.
   * @throws TorusError `invalid` with a path such as `parameters.features.0.shape`
   */
  checkVersion(version: ForeignVersion): void;
  /**
   * Evaluates made-up points with a version that was checked.
   * @throws TorusError `invalid` where it predicts anything but finite numbers, `canceled`, `worker_crashed`
   */
  tryVersion(version: ForeignVersion, context: Context): Promise<void>;
}
