// Facts of events other than anomalies: silence, a failing data source, a forecast beyond a bound, drift.

/** Points that stopped. */
export interface Silence {
  /** End of the newest interval that holds points, ms since the epoch; absent: none was ever seen. */
  readonly newestAt?: number;
  /** `silence` of the model, ms. */
  readonly limitMs: number;
}

/** A data source that cannot be read. */
export interface SourceFailure {
  readonly bucket: string;
  /** Code and sentence of the last error. */
  readonly code: string;
  readonly reason: string;
}

/** A bound that a forecast breaks. */
export interface ForecastBreach {
  readonly feature: string;
  readonly type: "low" | "high";
  /** In `unit`, or units of the data. */
  readonly threshold: number;
  /** Of the feature; absent: not known. */
  readonly unit?: string;
  /** How far ahead a breach is announced, ms. */
  readonly withinMs: number;
  /** Of the forecast that the event rests on, ms since the epoch. */
  readonly madeAt: number;
  /** Confidence of the dates below, percent. */
  readonly level: number;
  /** When the forecast breaks the bound, ms since the epoch; absent: not within the time. */
  readonly firstAt?: number;
  /** The same by the edges of the band. */
  readonly earliestAt?: number;
  readonly latestAt?: number;
}

/** A series that has changed since the training. */
export interface DriftReport {
  /** Feature with the largest share. */
  readonly feature: string;
  /** Share of rare points in the last day, 0..1. */
  readonly share: number;
}
