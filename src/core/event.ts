// What hooks are told: an anomaly started, or ended.

/** What one feature was, and what was expected of it, in units of the data. */
export interface FeatureReport {
  readonly type: "low" | "high";
  /** 0..100 */
  readonly score: number;
  readonly observed: number | null;
  readonly predicted: number;
  readonly lower: number;
  readonly upper: number;
}

export interface AnomalyEvent {
  /** `<episode>:start` or `<episode>:end`: the same in every attempt, so that receivers can drop repeats. */
  readonly id: string;
  readonly kind: "anomaly_start" | "anomaly_end";
  readonly model: string;
  /** UUID of the episode. */
  readonly episode: string;
  /** Start of the interval that moved the state, ms since the epoch. */
  readonly at: number;
  /** When the episode started; of an end also when it ended (= `at`). */
  readonly startedAt: number;
  /** Score of that interval, 0..100. */
  readonly score: number;
  /** The features that took part, as they were at `at`; of an end as they were at the start. */
  readonly features: Readonly<Record<string, FeatureReport>>;
  /** Why an end came without a low score: the model was stopped or deleted. */
  readonly closedBy?: string;
  /** Made up by `_test`: nothing has happened. */
  readonly test?: boolean;
}
