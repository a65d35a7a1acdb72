// Interface of a model kind: grids to trained versions, versions and grids to predictions.

import type { TaskProgress, Tasks } from "../../wasm/protocol.ts";
import type { Evidence } from "../core/anomaly/event.ts";
import type { LevelShift } from "../core/anomaly/level-shift.ts";
import type { FalseAlarm } from "../core/anomaly/training-marks.ts";
import type { ReportProgress } from "../core/job.ts";
import type { ModelSettings } from "../core/model/model.ts";
import type { VersionSummary } from "../core/model/version-summary.ts";
import type { Grid, Range } from "../core/series/grid.ts";

export interface ComputeOptions {
  /** Queue of the task: predictions never wait for trainings, and live windows go before predictions. */
  readonly lane: "training" | "prediction" | "live";
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TaskProgress) => void;
  /** Arrays of the task to transfer to the worker instead of copying them; empty afterwards, unless they are shared. */
  readonly transfer?: readonly Float32Array[];
}

/** Runs a task in a worker. Rejects with TorusError `canceled` or `worker_crashed`. */
export interface Compute {
  run<K extends keyof Tasks>(
    task: Tasks[K]["task"] & { kind: K },
    options: ComputeOptions,
  ): Promise<Tasks[K]["result"]>;
  /** Number of concurrent trainings. */
  readonly trainingLanes: number;
}

export interface Context {
  readonly compute: Compute;
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** A stored version: a flat array of weights, and the parameters that describe it. */
export interface TrainedModel {
  readonly weights: Float32Array;
  /** Per feature: shape, offset in `weights`, standardisation, calibration; JSON, owned by the kind. */
  readonly parameters: Record<string, unknown>;
  /** Values shown by `state`: `loss`, `span`, `points`, ... never null. */
  readonly summary: VersionSummary;
}

export interface TrainOverrides {
  readonly maxEvals?: number;
  readonly epochs?: number;
  readonly seed?: number;
  /** Initial weights; absent: random. */
  readonly from?: TrainedModel;
}

export interface TrainInput {
  readonly settings: ModelSettings;
  /** One column per feature, empty intervals filled by the feature's `default`. */
  readonly grid: Grid;
  readonly overrides: TrainOverrides;
  /** Anomalies: intervals that are missing for the training. */
  readonly excluded?: readonly Range[];
  /** False alarms: trained on like other points, and points like them raise no anomaly. */
  readonly tolerated?: readonly FalseAlarm[];
}

export interface FleetTrainInput {
  readonly settings: ModelSettings;
  /** One grid per series, of different ranges, with one column per feature. */
  readonly series: readonly Grid[];
  readonly overrides: TrainOverrides;
  /** Per series: see `TrainInput`. */
  readonly excluded?: readonly (readonly Range[])[];
}

/** What is fitted to one series of a fleet. */
export interface SeriesFit {
  /** JSON, owned by the kind. */
  readonly parameters: Record<string, unknown>;
}

/** Predicted distribution, in units of the data; one column per feature, without NaN. */
export interface Prediction {
  readonly grid: Grid;
  readonly predicted: Readonly<Record<string, Float64Array>>;
  readonly lower: Readonly<Record<string, Float64Array>>;
  readonly upper: Readonly<Record<string, Float64Array>>;
}

export interface ForecastInput {
  readonly settings: ModelSettings;
  /** Ends where the forecast starts. */
  readonly history: Grid;
  /** Intervals to forecast. */
  readonly horizon: number;
  /** Confidence levels of the bands, 0..1: of `lower` and `upper`, and of further bands. */
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
  /** -log10 of the share of normal points at least as rare, unbounded; absent if the kind does not measure it. */
  readonly rarity?: number;
  /** Of a score at or above the lower threshold; absent if the kind has none. */
  readonly evidence?: Evidence;
  /** The score where it is that of several features together; absent otherwise. */
  readonly joint?: number;
}

/** Scores of one interval. */
export interface PointScore {
  /** 0..100, the maximum over the features; undefined where nothing was observed. */
  readonly score: number | undefined;
  /** Observed features only. */
  readonly features: Readonly<Record<string, FeatureScore>>;
  readonly mse: number | null;
  /** Negative log density, unbounded: ranks points beyond score 100. */
  readonly nll: number | null;
  /** 0..100, the maximum over the features: score of the stretch that ends here; absent unless measured. */
  readonly rangeScore?: number;
  /** Of a batch evaluation: the score from the past alone. */
  readonly causalScore?: number;
}

/** Lasting deviation of a series from its training range. */
export interface Drift {
  /** Feature with the largest share. */
  readonly feature: string;
  /** Start of the first interval of the drift, ms since the epoch. */
  readonly sinceAt: number;
  /** Share of rare points in the last day: those rarer than one normal point in a hundred. */
  readonly share: number;
}

/** State carried from one evaluation to the next; JSON, owned by the kind. */
export type KindMemory = Readonly<Record<string, unknown>>;

export interface EvaluateInput {
  readonly settings: ModelSettings;
  /** Starts `historyOf(model)` intervals before the range. */
  readonly grid: Grid;
  /** Confidence level of the bands, 0..1; absent: the bands hold the values that raise nothing. */
  readonly level?: number | undefined;
  /** Score each point from the points after it too: for looking back, never live. */
  readonly batch?: boolean;
  /** Measure `rangeScore`: for looking back. */
  readonly ranged?: boolean;
  /** Per feature, starts of the intervals (ms) that earlier evaluations rejected as history. */
  readonly rejected?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Memory of the preceding evaluation; absent: the state at the end of the training. */
  readonly memory?: KindMemory | undefined;
  /** Changes that may explain a step to another level, ms since the epoch; default: none. */
  readonly changes?: readonly number[] | undefined;
}

export interface Evaluation extends Prediction {
  readonly scores: readonly PointScore[];
  /** Rejected intervals of the whole grid, history included: replaces the input list. */
  readonly rejected: Readonly<Record<string, readonly number[]>>;
  /** Memory for the next evaluation: replaces the input. */
  readonly memory?: KindMemory;
  /** Drift at the last point; absent without drift. */
  readonly drift?: Drift;
  /** Steps to another level in the range; absent if the kind follows no level. */
  readonly levelShifts?: readonly LevelShift[];
}

export interface ExportInput {
  /** Effective settings: the shape of the version, the current thresholds of the model. */
  readonly settings: ModelSettings;
  /** Name of one of the version's features. */
  readonly feature: string;
  readonly producerVersion: string;
  /** Metadata of the file, beside that of the kind. */
  readonly properties: Readonly<Record<string, string>>;
}

/** An imported version, of which only the settings are checked. */
export interface ForeignVersion {
  /** Settings it was trained with. */
  readonly settings: ModelSettings;
  readonly parameters: Record<string, unknown>;
  readonly weights: Float32Array;
}

/** Fleets: one network per feature for many series, everything else fitted to each series. */
export interface FleetKind {
  /** Points per feature from which `fit` succeeds. */
  readonly firstPoints: number;
  /** Series that a training makes use of: of more, it draws some. */
  readonly trainedSeries: number;
  /**
   * Trains the networks, on windows drawn evenly over the series.
   * @throws TorusError `no_data`, `too_little_data` (with numbers found and needed), `canceled`, `worker_crashed`
   */
  train(input: FleetTrainInput, context: Context): Promise<TrainedModel>;
  /**
   * Fits a series, which the training need not have had, to the networks.
   * @throws TorusError `no_data`, `too_little_data` (with numbers found and needed), `canceled`, `worker_crashed`
   */
  fit(shared: TrainedModel, input: Omit<TrainInput, "overrides">, context: Context): Promise<SeriesFit>;
  /** The model of one series, as of a training of its own; shares the weights. @param parameters of its `SeriesFit` */
  modelOf(shared: TrainedModel, parameters: SeriesFit["parameters"]): TrainedModel;
  /** The parameters without what evaluations take from `memory`, made by one of them, as long as it is kept. */
  dropRemembered(parameters: SeriesFit["parameters"], memory: KindMemory): SeriesFit["parameters"];
  /** @throws TorusError `invalid` with a path below `parameters`. @param shared checked by `checkVersion` */
  checkSeries(shared: ForeignVersion, parameters: SeriesFit["parameters"]): void;
}

export interface ModelKind {
  readonly fleet: FleetKind;
  /** @throws TorusError `no_data`, `too_little_data` (with numbers found and needed), `canceled`, `worker_crashed` */
  train(input: TrainInput, context: Context): Promise<TrainedModel>;
  /** Intervals of history before the first predicted point. */
  historyOf(model: TrainedModel): number;
  /** Evaluates a grid; the result covers the range without the history. */
  evaluate(model: TrainedModel, input: EvaluateInput, context: Context): Promise<Evaluation>;
  /** Intervals of history before a forecast: more than for an evaluation, which is read every interval. */
  forecastHistoryOf(model: TrainedModel): number;
  forecast(model: TrainedModel, input: ForecastInput, context: Context): Promise<Forecast>;
  /** The network of one feature as an ONNX file. */
  exportNetwork(model: TrainedModel, input: ExportInput): Uint8Array;
  /**
   * Checks that parameters and weights are consistent and finite.
   * @throws TorusError `invalid` with a path such as `parameters.features.0.shape`
   */
  checkVersion(version: ForeignVersion): void;
  /**
   * Evaluates a synthetic series with a checked version.
   * @throws TorusError `invalid` if a prediction is not finite, `canceled`, `worker_crashed`
   */
  tryVersion(version: ForeignVersion, context: Context): Promise<void>;
}
