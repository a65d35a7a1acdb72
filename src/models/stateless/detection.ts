// What a detection without a stored model is asked, and what it answers.
export interface NetworkEvaluation {
  /** One value per interval of the series, in units of the data; NaN within the first window. */
  readonly expected: Float64Array;
  /** 0..100, of network and companions together as in live detection; where the last point was not learnt. */
  readonly lastScore?: number;
}

export type AnomalyType = "low" | "high" | "low_high";

export interface DetectInput {
  /** Interval after interval; NaN = missing, which is not scored. */
  readonly column: Float64Array;
  /** Intervals of a season, 0 = there is none. */
  readonly period: number;
  /** A longer season that is tried too, in intervals. */
  readonly longerPeriod?: number | undefined;
  /** 0 (widest margins) to 99. */
  readonly sensitivity: number;
  /** Share of the points that may be anomalies at most, above 0 and below 0.5. */
  readonly maxAnomalyRatio: number;
  readonly anomalyType: AnomalyType;
  /** What a network trained on the series says of it; absent: none was asked. */
  readonly network?: NetworkEvaluation | undefined;
}

/** One value per interval. */
export interface Detection {
  /** In units of the data; also where a value is missing. */
  readonly expected: Float64Array;
  /** Distance of the edges from `expected`, both alike; a point beyond them is an anomaly. */
  readonly margin: Float64Array;
  /** 1 = above, -1 = below, 0 = no anomaly, in the directions that are asked for. */
  readonly direction: Int8Array;
  /** 0..1: share of the distance from the expected value that lies beyond the margin; 0 for normal points. */
  readonly severity: Float64Array;
  /** 0..100: how rarely a normal point of the series lies so far off; NaN where a value is missing. */
  readonly score: Float64Array;
}

/** Whether a difference of this sign is one that is looked for. */
export function isInDirection(difference: number, type: AnomalyType): boolean {
  return type === "low_high" || (type === "high" ? difference > 0 : difference < 0);
}

/** The periods that a detection reckons with, in intervals: none, one or two, the shorter first. */
export function periodsOf({ period, longerPeriod }: DetectInput): readonly number[] {
  if (period === 0) return [];
  return longerPeriod === undefined ? [period] : [period, longerPeriod];
}
