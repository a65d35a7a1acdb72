// Annotations: marks in the data of a bucket from the start of an anomaly to its end.
export interface Annotation {
  /** The same at start and end, so that the end replaces the mark of the start. */
  readonly id: string;
  readonly type: string;
  readonly model: string;
  readonly text: string;
  /** ms since the epoch. */
  readonly startAt: number;
  /** Absent while the anomaly lasts. */
  readonly endAt?: number;
  readonly modifiedAt: number;
}

/** Measurement that dashboards query. */
export const ANNOTATIONS = "annotations";
