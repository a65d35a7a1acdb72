// Contract of job handlers: functions from a claimed job to its outcome; the queue keeps the books.
import type { JobType, ReportProgress } from "../../core/job.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { Compute, Evaluation, ModelKind } from "../../models/kind.ts";
import type { OpenBucket } from "../../points/features.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import type { Claim } from "../../store/jobs/transitions.ts";
import type { HandlerInputs, HandlerName } from "./input.ts";

/** A claimed job, as its handler sees it. */
export interface Job<N extends HandlerName = HandlerName> {
  readonly id: string;
  readonly type: JobType;
  readonly model: string | null;
  readonly input: HandlerInputs[N];
  /** 1, or 2 after a server stopped while the job ran. */
  readonly attempt: number;
}

export interface HandlerContext {
  /** Aborted when the job is canceled, its model deleted, or the server stops. */
  readonly signal: AbortSignal;
  /** Replaces the progress shown with the job; it is kept in memory only. */
  readonly onProgress: ReportProgress;
}

/** JSON, or null: stored together with the job's end. */
interface ResultOutcome {
  readonly result: unknown;
  readonly commit?: undefined;
}

/** Ends the job itself, in one transaction with what it adds to the store. */
export interface CommitOutcome {
  /** @returns false if the claim no longer holds: nothing was changed then */
  readonly commit: (claim: Claim) => Promise<boolean>;
}

export type Outcome = ResultOutcome | CommitOutcome;

/** A thrown TorusError becomes the job's code and message; any other error is a bug: logged, job failed `internal`. */
export type Handler<N extends HandlerName, O extends Outcome = ResultOutcome> = (
  job: Job<N>,
  context: HandlerContext,
) => Promise<O>;

export type Handlers = { readonly [N in HandlerName]: Handler<N, Outcome> };

/** Services of the handlers. */
export interface HandlerDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kind: ModelKind;
  /** Trains networks for one request: it takes seconds. */
  readonly quickTrainer: ModelKind;
  readonly compute: Compute;
  readonly openBucket: OpenBucket;
  /** Newest versions of a model that stay when a training adds one; at least 1. Read at every commit. */
  readonly versionsKept: number;
  /** Keeps the anomalies of an evaluated range. @returns how many. @throws TorusError `not_found`, `canceled` */
  readonly recordPast: (past: PastInput, signal: AbortSignal) => Promise<number>;
}

/** An evaluated range whose anomalies are to be kept. */
export interface PastInput {
  readonly model: string;
  /** Tags of the series that was evaluated; absent: of the model. */
  readonly series?: Readonly<Record<string, string>>;
  readonly settings: ModelSettings;
  readonly evaluation: Evaluation;
  /** As long as the evaluation. */
  readonly observed: Grid;
  readonly origin: "evaluation" | "backtest";
  /** Whether the hooks are called, too. */
  readonly hooks: boolean;
}
