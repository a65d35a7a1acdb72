// Target of a write: measurement, the instant before which points have expired, and the limit of series.

export interface Target {
  readonly measurement: string;
  /** Points before this instant (ms) have expired. */
  readonly cutoffAt: number;
  /** Series with a field each, beyond which no new ones are stored; absent: no limit. */
  readonly maxSeries?: number;
}

/** Points of a write that were not stored. */
export interface Unstored {
  readonly expired: number;
  /** Values of new series beyond `maxSeries`. */
  readonly refused: number;
}
