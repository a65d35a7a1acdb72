// Changes that clients may follow: the committed steps, and the progress of running jobs, which is not stored.
import type { Severity } from "./anomaly/severity.ts";
import type { JobProgress, JobState, JobType } from "./job.ts";

export const changeTypes = ["model", "live", "anomaly", "job", "bucket", "calendar", "delivery"] as const;
export type ChangeType = (typeof changeTypes)[number];

export type Change =
  | ModelChange
  | LiveChange
  | AnomalyChange
  | JobChange
  | BucketChange
  | CalendarChange
  | DeliveryChange;

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
  /** Of a running job, between its steps. */
  readonly progress?: JobProgress;
  /** With `progress`, if it can be estimated. */
  readonly remainingMs?: number;
}

export const bucketSteps = ["created", "changed", "deleted", "failing", "back"] as const;

interface BucketChange {
  readonly type: "bucket";
  readonly bucket: string;
  /** Live detection cannot read it: `failing`; it can again: `back`. */
  readonly step: (typeof bucketSteps)[number];
  /** With `failing`. */
  readonly error?: string;
}

export const calendarSteps = ["created", "changed", "deleted", "failing", "back"] as const;

interface CalendarChange {
  readonly type: "calendar";
  readonly calendar: string;
  /** Its address cannot be read: `failing`; it can again: `back`. */
  readonly step: (typeof calendarSteps)[number];
  /** With `failing`. */
  readonly error?: string;
}

export const deliverySteps = ["created", "waiting", "delivered", "rejected", "expired"] as const;

interface DeliveryChange {
  readonly type: "delivery";
  /** Of the anomaly. */
  readonly model: string;
  readonly hook: string;
  readonly isGlobal: boolean;
  /** Idempotency key of the delivery. */
  readonly id: string;
  /** `waiting`: an attempt has failed, another one follows. */
  readonly step: (typeof deliverySteps)[number];
  /** Of the last attempt, unless it was successful. */
  readonly error?: string;
}

/** Whether a client that comes back has no need of the change: a later one says more. */
export function isPassing(change: Change): boolean {
  return change.type === "job" && change.progress !== undefined;
}
