// What each type of job gets as its input: JSON, complete at submission, so that later changes do not touch the job.
import { isRecord } from "../../core/input/record.ts";
import type { JobType } from "../../core/job.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Step } from "../../core/series/granularity.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery, Point } from "../../core/series/query.ts";
import type { AnomalyType } from "../../models/stateless/detection.ts";
import type { Forecaster } from "../../models/stateless/predict.ts";

/** Ranges are ms since the epoch, relative dates resolved at submission, not yet aligned: the handler aligns them. */
export interface TrainJob {
  readonly model: string;
  /** The model's settings at submission; an `auto` interval is chosen later. A PATCH counts for the next training. */
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
  readonly record?: RecordTarget;
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
  /** Share of the points' extent to train on, 0..1; absent: `trained` ends where the request said. */
  readonly trainShare?: number;
  readonly overrides: Omit<TrainJob["overrides"], "continueFrom">;
  /** What is known to be anomalous: ranges within the evaluated part, or where to read them. */
  readonly labels?: readonly Range[] | LabelSource;
  /** What the suggested threshold aims at. */
  readonly falseAlarmsPerWeek: number;
  readonly includeScores: boolean;
  readonly record?: RecordTarget;
}

/** The anomalies that are found are kept among those of the model. */
export interface RecordTarget {
  /** Whether the hooks are called, too. */
  readonly hooks: boolean;
}

/** Points that came with a request; no model is stored for them. */
interface SeriesInput {
  /** Interval after interval; null = missing. */
  readonly column: readonly (number | null)[];
  /** Intervals of a season, 0 = there is none. */
  readonly period: number;
}

export interface DetectJob extends SeriesInput {
  /** The interval of each point. */
  readonly places: readonly number[];
  /** A longer season that is tried too, in intervals. */
  readonly longerPeriod?: number;
  readonly mode: "entire" | "last";
  /** The ensemble has a network, which is trained on the points. */
  readonly detector: "companions" | "ensemble";
  /** 0 (widest margins) to 99. */
  readonly sensitivity: number;
  /** Share of the points that may be anomalies at most. */
  readonly maxAnomalyRatio: number;
  readonly anomalyType: AnomalyType;
}

export interface SeriesForecastJob extends SeriesInput {
  /** Intervals without a point between the first and the last. */
  readonly missing: number;
  /** Length of an interval, where one is known. */
  readonly intervalMs?: number;
  readonly horizon: number;
  /** Shares of what comes that the bands are to hold, 0..1; at least one. */
  readonly levels: readonly number[];
  readonly forecaster: Forecaster | "donut";
  readonly step: Step;
  /** Of the last point, ms since the epoch; absent where the points have no timestamps. */
  readonly lastAt?: number;
}

/** Names of the versions that a job works with, by its input: they stay until it has ended. */
export function versionsIn(input: unknown): string[] {
  const { version, overrides } = (input ?? {}) as Partial<Prediction & Pick<TrainJob, "overrides">>;
  return [version, overrides?.continueFrom].filter((name) => name !== undefined);
}

/** Inputs by type of job: of a model, or of a series that came with the request. */
export interface JobInputs {
  readonly training: TrainJob;
  readonly forecast: ForecastJob | SeriesForecastJob;
  readonly prediction: PredictJob | DetectJob;
  readonly read: ReadJob;
  readonly write: WriteJob;
  readonly backtest: BacktestJob;
}

/** Inputs by handler: two types of jobs have a handler for models and one for series. */
export interface HandlerInputs {
  readonly training: TrainJob;
  readonly forecast: ForecastJob;
  readonly seriesForecast: SeriesForecastJob;
  readonly prediction: PredictJob;
  readonly seriesDetection: DetectJob;
  readonly read: ReadJob;
  readonly write: WriteJob;
  readonly backtest: BacktestJob;
}
export type HandlerName = keyof HandlerInputs;

/** The handler of a stored job; only the input of a series has a column. */
export function handlerOf(type: JobType, input: unknown): HandlerName {
  const isSeries = isRecord(input) && "column" in input;
  if (type === "forecast" && isSeries) return "seriesForecast";
  if (type === "prediction" && isSeries) return "seriesDetection";
  return type;
}
