// Input and result of a detection without a stored model.
import type { LongRun } from "./long-runs.ts";

/** Evaluation of a series by a network trained on it. */
export interface NetworkEvaluation {
  /** One value per interval of the series, in units of the data; NaN within the first window. */
  readonly expected: Float64Array;
  /** Ensemble score of the last point, 0..100; present if the point was not part of the training. */
  readonly lastScore?: number;
}

export type AnomalyType = "low" | "high" | "low_high";

export interface DetectInput {
  /** One value per interval; NaN = missing, not scored. */
  readonly column: Float64Array;
  /** Length of the season in intervals; 0 = none. */
  readonly period: number;
  /** Length of a week in intervals, a multiple of 7: a weekly season is used if it reduces the error. */
  readonly week?: number | undefined;
  /** Length of a day in intervals, where it is known. */
  readonly day?: number | undefined;
  /** Length of a season beside the day and the week, in intervals. */
  readonly extra?: number | undefined;
  /** 0 (widest margins) to 99. */
  readonly sensitivity: number;
  /** Largest share of anomalies, above 0 and below 0.5. */
  readonly maxAnomalyRatio: number;
  readonly anomalyType: AnomalyType;
  /** Evaluation by a network trained on the series; absent: without network. */
  readonly network?: NetworkEvaluation | undefined;
}

/** One value per interval. */
export interface Detection {
  /** Expected values in units of the data, those of missing points included. */
  readonly expected: Float64Array;
  /** Half-width of the tolerance band around `expected`; points outside are anomalies, and those of long runs. */
  readonly margin: Float64Array;
  /** 1 = above, -1 = below, 0 = no anomaly in the requested directions. */
  readonly direction: Int8Array;
  /** 0..1: share of the deviation that lies beyond the margin, or of a long run beyond the usual; 0 for normal points. */
  readonly severity: Float64Array;
  /** 0..100 by the tail probability of the deviation among the normal points; NaN where missing. */
  readonly score: Float64Array;
  /** -log10 of that probability, unbounded: ranks points beyond score 100; NaN where missing. */
  readonly rarity: Float64Array;
  /** In order of time; their points are anomalies once the run is longer than usual. */
  readonly runs: readonly LongRun[];
}

/** Whether a deviation of this sign was requested. */
export function isInDirection(difference: number, type: AnomalyType): boolean {
  return type === "low_high" || (type === "high" ? difference > 0 : difference < 0);
}
