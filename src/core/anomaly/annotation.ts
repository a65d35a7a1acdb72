// A mark over the data of a bucket, from the start of an anomaly to its end.
export interface Annotation {
  /** The end replaces what the start has written under the same id. */
  readonly id: string;
  readonly type: string;
  readonly model: string;
  readonly text: string;
  /** ms since the epoch */
  readonly startAt: number;
  /** Absent while the anomaly lasts. */
  readonly endAt?: number;
  readonly modifiedAt: number;
}

/** Measurement that dashboards look for. */
export const ANNOTATIONS = "annotations";
