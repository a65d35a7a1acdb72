// What each type of job gets as its input: JSON, complete at submission, so that later changes do not touch the job.
import type { FeatureQuery, Point } from "../buckets/kind.ts";
import type { Range } from "../core/grid.ts";
import type { ModelSettings } from "../core/model.ts";

/** Ranges are ms since the epoch, relative dates resolved at submission, not yet aligned: the handler aligns them. */
export interface TrainJob {
  readonly model: string;
  /** The model's settings at submission. A PATCH after that counts for the next training. */
  readonly settings: ModelSettings;
  /** Bucket to read from. */
  readonly bucket: string;
  readonly range: Range;
  readonly overrides: {
    readonly maxEvals?: number;
    readonly epochs?: number;
    readonly seed?: number;
    /** Name of the version whose weights the training goes on from. */
    readonly continueFrom?: string;
  };
}

/** Where the points of a prediction are also written to. */
export interface SaveTarget {
  readonly bucket: string;
}

interface Prediction {
  readonly model: string;
  /**
   * Settings at submission: what the shape of the version depends on (features, bucket_interval, span, seasonality,
   * timezone) as it was trained, everything else as the model says now.
   */
  readonly settings: ModelSettings;
  /** Version that was active at submission. */
  readonly version: string;
  /** Bucket to read from. */
  readonly bucket: string;
  readonly range: Range;
  /** Confidence of `lower_*`..`upper_*`, between 0 and 1. */
  readonly level: number;
  readonly save?: SaveTarget;
}

export interface Constraint {
  readonly feature: string;
  readonly type: "low" | "high";
  readonly threshold: number;
}

export interface ForecastJob extends Prediction {
  /** More confidences to report bounds for (`level=80;95` is [0.8, 0.95]). */
  readonly levels: readonly number[];
  readonly constraint?: Constraint;
}

export interface PredictJob extends Prediction {
  /** The answer has `stats`. */
  readonly detectAnomalies: boolean;
  /** Points are scored with what came later in view. */
  readonly batch?: boolean;
}

export interface ReadJob {
  readonly bucket: string;
  readonly range: Range;
  readonly intervalMs: number;
  readonly features: readonly FeatureQuery[];
}

export interface WriteJob {
  readonly bucket: string;
  readonly measurement?: string;
  readonly points: readonly Point[];
}

/** Where labels are kept: intervals in which the field holds a number other than 0. */
export interface LabelSource {
  readonly bucket: string;
  readonly field: string;
  readonly measurement?: string;
}

export interface BacktestJob {
  readonly model: string;
  /** The model's settings at submission, with the thresholds to try. */
  readonly settings: ModelSettings;
  /** Bucket to read from. */
  readonly bucket: string;
  /** Aligned, unlike other ranges: labels were checked against it. The evaluated part begins where this one ends. */
  readonly trained: Range;
  readonly evaluated: Range;
  readonly overrides: Omit<TrainJob["overrides"], "continueFrom">;
  /** What is known to be anomalous: ranges within the evaluated part, or where to read them. */
  readonly labels?: readonly Range[] | LabelSource;
  /** What the suggested threshold aims at. */
  readonly falseAlarmsPerWeek: number;
  readonly includeScores: boolean;
}

export interface JobInputs {
  readonly training: TrainJob;
  readonly forecast: ForecastJob;
  readonly prediction: PredictJob;
  readonly read: ReadJob;
  readonly write: WriteJob;
  readonly backtest: BacktestJob;
}
