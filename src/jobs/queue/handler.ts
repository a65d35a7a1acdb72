// What a job handler is: a function from a claimed job to an outcome; the queue does all the bookkeeping.
import type { JobProgress, JobType } from "../../core/job.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import type { ModelKinds } from "../../models/index.ts";
import type { Compute, Evaluation, ModelKind, TrainedModel } from "../../models/kind.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import type { OpenBucket } from "../handlers/features.ts";
import type { JobInputs } from "./input.ts";

export interface Job<T extends JobType = JobType> {
  readonly id: string;
  readonly type: T;
  readonly model: string | null;
  readonly input: JobInputs[T];
  /** 1, or 2 where a server stopped while the job ran. */
  readonly attempt: number;
}

export interface HandlerContext {
  /** Aborted when the answer is no longer wanted: job canceled, model deleted, server stopping. */
  readonly signal: AbortSignal;
  /** The latest report is shown with the job; kept in memory only. */
  readonly onProgress: (progress: JobProgress) => void;
}

/** Result of everything but a training: JSON, or null. */
export interface ResultOutcome {
  readonly result: unknown;
}

/** A training's version, committed together with the job's end. */
export interface TrainedOutcome {
  readonly trained: TrainedModel;
  /** Those of the job, with the interval that was chosen. */
  readonly settings: ModelSettings;
  /** What was read, aligned. */
  readonly range: Range;
}

export type Outcome<T extends JobType = JobType> = T extends "training" ? TrainedOutcome : ResultOutcome;

/** A TorusError becomes the job's code and message; anything else thrown is a bug: logged, job failed `internal`. */
export type Handler<T extends JobType = JobType> = (
  job: Job<T>,
  context: HandlerContext,
) => Promise<Outcome<T>>;

/** One handler per type. */
export type Handlers = { readonly [T in JobType]: Handler<T> };

/** What the handlers work with. */
export interface HandlerDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kinds: ModelKinds;
  /** Trains networks for one request: it takes seconds. */
  readonly briefKind: ModelKind;
  readonly compute: Compute;
  readonly openBucket: OpenBucket;
  /** Keeps the anomalies of an evaluated range. @returns how many. @throws TorusError `not_found`, `canceled` */
  readonly recordPast: (past: PastInput, signal: AbortSignal) => Promise<number>;
}

/** An evaluated range whose anomalies are to be kept. */
export interface PastInput {
  readonly model: string;
  readonly settings: ModelSettings;
  readonly evaluation: Evaluation;
  /** As long as the evaluation. */
  readonly observed: Grid;
  readonly origin: "evaluation" | "backtest";
  /** Whether the hooks are called, too. */
  readonly hooks: boolean;
}
