// Inputs of jobs, stored as JSON: complete at submission, so that later changes do not affect the job.
import { isRecord } from "../../core/input/json.ts";
import type { JobType } from "../../core/job.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Mover } from "../../core/related/chance.ts";
import type { Deviation } from "../../core/related/deviation.ts";
import type { Tags } from "../../core/related/tags.ts";
import type { Step } from "../../core/series/granularity.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery, GroupedQuery, Point } from "../../core/series/query.ts";
import type { Holidays } from "../../core/time/holidays.ts";
import type { AnomalyType } from "../../models/stateless/detection.ts";
import type { Forecaster } from "../../models/stateless/predict.ts";
import type { SaveTarget } from "../../points/save.ts";

/** Ranges are in ms since the epoch, resolved at submission; the handler aligns them. */
export interface TrainJob {
  readonly model: string;
  /** The model's settings at submission; an `auto` interval is resolved by the handler. */
  readonly settings: ModelSettings;
  /** Bucket to read from. */
  readonly bucket: string;
  readonly range: Range;
  readonly overrides: {
    readonly maxEvals?: number;
    readonly epochs?: number;
    readonly seed?: number;
    /** Name of the version whose weights the training starts from. */
    readonly continueFrom?: string;
    /** Keep the active version where the new one is clearly worse on the last days of the range. */
    readonly guard?: boolean;
  };
}

/** A page of the series of a version, in the order of their keys. */
export interface SeriesPage {
  /** From 0. */
  readonly number: number;
  readonly size: number;
}

interface Prediction {
  readonly model: string;
  /**
   * Effective settings at submission: features, bucket_interval, span, seasonality and timezone of the trained version,
   * everything else of the model.
   */
  readonly settings: ModelSettings;
  /** Active version at submission. */
  readonly version: string;
  /** Of a fleet: the series that is predicted. */
  readonly series?: SeriesTags;
  /** Of a fleet without `series`: those to predict. */
  readonly page?: SeriesPage;
  /** Bucket to read from. */
  readonly bucket: string;
  readonly range: Range;
  /** Confidence of `lower_*`..`upper_*`, between 0 and 1; absent from an evaluation: the values that raise nothing. */
  readonly level?: number;
  readonly save?: SaveTarget;
}

export interface Constraint {
  readonly feature: string;
  readonly type: "low" | "high";
  readonly threshold: number;
}

export interface ForecastJob extends Prediction {
  readonly level: number;
  /** Further confidences to report bounds for (`level=80;95` is [0.8, 0.95]). */
  readonly levels: readonly number[];
  readonly constraint?: Constraint;
}

export interface PredictJob extends Prediction {
  /** Adds `stats` to the result. */
  readonly detectAnomalies: boolean;
  /** Scores points with later values too. */
  readonly batch?: boolean;
  /** Show what live detection recorded in place of evaluated scores. */
  readonly showsLive?: boolean;
  readonly record?: RecordTarget;
}

export interface ReadJob {
  readonly bucket: string;
  readonly range: Range;
  readonly intervalMs: number;
  readonly features: readonly FeatureQuery[];
  /** Absent: all points are one series. */
  readonly groups?: Pick<GroupedQuery, "groupBy" | "maxSeries">;
}

interface WriteJob {
  readonly bucket: string;
  readonly measurement?: string;
  readonly points: readonly Point[];
}

/** Field that holds labels: intervals in which it is not 0. */
export interface LabelSource {
  readonly bucket: string;
  readonly field: string;
  readonly measurement?: string;
}

export interface BacktestJob {
  readonly model: string;
  /** Of a fleet: the series that is tested. */
  readonly series?: SeriesTags;
  /** The model's settings at submission, with the thresholds of the request. */
  readonly settings: ModelSettings;
  /** Bucket to read from. */
  readonly bucket: string;
  /** Aligned, unlike other ranges, because labels were checked against it. The evaluated part starts at its end. */
  readonly trained: Range;
  readonly evaluated: Range;
  /** Share of the points' extent to train on, 0..1; absent: `trained` ends where the request said. */
  readonly trainShare?: number;
  readonly overrides: Omit<TrainJob["overrides"], "continueFrom" | "guard">;
  /** Known anomalies: ranges within the evaluated part, or the field to read them from. */
  readonly labels?: readonly Range[] | LabelSource;
  /** Target of the suggested thresholds. */
  readonly falseAlarmsPerWeek: number;
  readonly includeScores: boolean;
  readonly record?: RecordTarget;
}

/** Records the anomalies found among those of the model. */
export interface RecordTarget {
  /** Whether the hooks are called, too. */
  readonly hooks: boolean;
}

/** A posted series, without a stored model. */
interface SeriesInput {
  /** One value per interval; null: missing. */
  readonly column: readonly (number | null)[];
  /** Period in intervals; 0: none. */
  readonly period: number;
}

export interface DetectJob extends SeriesInput {
  /** The interval of each point. */
  readonly places: readonly number[];
  /** A week in intervals, if it may be a season. */
  readonly week?: number;
  /** A day in intervals, of those of a fixed length. */
  readonly day?: number;
  /** Length of a season beside the day and the week, in intervals. */
  readonly extra?: number;
  readonly mode: "entire" | "last";
  /** The ensemble includes a network trained on the points. */
  readonly detector: "companions" | "ensemble";
  /** 0 (widest margins) to 99. */
  readonly sensitivity: number;
  /** Largest share of points reported as anomalies. */
  readonly maxAnomalyRatio: number;
  readonly anomalyType: AnomalyType;
}

export interface SeriesForecastJob extends SeriesInput {
  /** Length of a season beside those of the calendar, in intervals. */
  readonly extra?: number;
  /** Intervals without a point between the first and the last. */
  readonly missing: number;
  /** Length of an interval, if it is fixed. */
  readonly intervalMs?: number;
  readonly horizon: number;
  /** Confidences of the bands, 0..1; at least one. */
  readonly levels: readonly number[];
  readonly forecaster: Forecaster | "donut";
  readonly step: Step;
  /** Times of the first and the last point, ms since the epoch; absent if the points have no timestamps. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Whether the times are dates, which are the same days in any time zone. */
  readonly isDated?: boolean;
  /** IANA name; absent: UTC. */
  readonly timezone?: string;
  readonly holidays?: Holidays;
  /** Least and greatest possible value. */
  readonly limits?: { readonly min?: number; readonly max?: number };
  /** Whether the answer tells how it was made. */
  readonly explain?: boolean;
}

/** A scan of a bucket for what moved in a window, without a stored model. */
export interface ScanJob {
  readonly scan: true;
  readonly bucket: string;
  readonly intervalMs: number;
  readonly window: Range;
  /** Most series of the answer. */
  readonly limit: number;
  /** Only series with these tags. */
  readonly tags?: Tags;
  /** The series of the anomaly, with its earlier deviations; absent: of a range. */
  readonly target?: Mover & { readonly earlier: readonly Deviation[] };
  /** What the model of the anomaly reads: it is left out. */
  readonly own: readonly { readonly field: string; readonly measurement?: string; readonly tags: Tags }[];
  readonly anomaly?: { readonly id: string; readonly model: string; readonly series?: Tags };
}

/** Names of the versions that a job with this input uses: they are kept until it ends. */
export function versionsIn(input: unknown): string[] {
  const { version, overrides } = (input ?? {}) as Partial<Prediction & Pick<TrainJob, "overrides">>;
  return [version, overrides?.continueFrom].filter((name) => name !== undefined);
}

/** Inputs by type of job: of a model, or of a series that came with the request. */
export interface JobInputs {
  readonly training: TrainJob;
  readonly forecast: ForecastJob | SeriesForecastJob;
  readonly prediction: PredictJob | DetectJob | ScanJob;
  readonly read: ReadJob;
  readonly write: WriteJob;
  readonly backtest: BacktestJob;
}

/** Inputs by handler: two types of jobs have a handler for models and one for series; predictions one for scans, too. */
export interface HandlerInputs {
  readonly training: TrainJob;
  readonly forecast: ForecastJob;
  readonly seriesForecast: SeriesForecastJob;
  readonly prediction: PredictJob;
  readonly seriesDetection: DetectJob;
  readonly scan: ScanJob;
  readonly read: ReadJob;
  readonly write: WriteJob;
  readonly backtest: BacktestJob;
}
export type HandlerName = keyof HandlerInputs;

/** The handler of a stored job; only the input of a series has a column, and that of a scan says so. */
export function handlerOf(type: JobType, input: unknown): HandlerName {
  const isSeries = isRecord(input) && "column" in input;
  if (type === "forecast" && isSeries) return "seriesForecast";
  if (type === "prediction" && isSeries) return "seriesDetection";
  if (type === "prediction" && isRecord(input) && "scan" in input) return "scan";
  return type;
}
