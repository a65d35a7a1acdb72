// Changes of the state that clients may follow: one per committed step of a model, a job or an anomaly.
import type { Severity } from "./anomaly/severity.ts";
import type { JobState, JobType } from "./job.ts";

export const changeTypes = ["model", "live", "anomaly", "job"] as const;
export type ChangeType = (typeof changeTypes)[number];

export type Change = ModelChange | LiveChange | AnomalyChange | JobChange;

export const modelSteps = [
  "created",
  "changed",
  "deleted",
  "trained",
  "restored",
  "started",
  "stopped",
  "labelled",
] as const;

interface ModelChange {
  readonly type: "model";
  readonly model: string;
  readonly step: (typeof modelSteps)[number];
}

export const liveOutcomes = ["ok", "no_data", "learning", "failed"] as const;

/** An evaluation of live detection. */
interface LiveChange {
  readonly type: "live";
  readonly model: string;
  /** End of the window, ms since the epoch. */
  readonly windowAt: number;
  readonly outcome: (typeof liveOutcomes)[number];
  readonly score: number | null;
}

export const anomalySteps = ["start", "peak", "severity", "end", "feedback"] as const;

interface AnomalyChange {
  readonly type: "anomaly";
  readonly model: string;
  /** UUID. */
  readonly id: string;
  readonly step: (typeof anomalySteps)[number];
  /** With `start`, ms since the epoch. */
  readonly startAt?: number;
  /** With `end`, ms since the epoch. */
  readonly endAt?: number;
  /** With `start` and `peak`, 0..100. */
  readonly peakScore?: number;
  readonly severity?: Severity;
  /** With `feedback`; null: withdrawn. */
  readonly anomaly?: boolean | null;
}

interface JobChange {
  readonly type: "job";
  /** UUID. */
  readonly id: string;
  readonly job: JobType;
  readonly model: string | null;
  readonly state: JobState;
}
