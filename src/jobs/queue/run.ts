// Run of a claimed job: calls its handler and records its end in the store.
import { describeError, type ErrorCode, TorusError } from "../../core/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Pacer } from "../../runtime/pacer.ts";
import type { Store } from "../../store/db/open.ts";
import { type ClaimedJob, failJob, finishJob, giveBackJob } from "../../store/jobs/jobs.ts";
import { notKept, type ResultText } from "../../store/jobs/results.ts";
import type { Claim } from "../../store/jobs/transitions.ts";
import type { HandlerContext, Handlers, Job, Outcome } from "./handler.ts";
import { type HandlerInputs, type HandlerName, handlerOf } from "./input.ts";
import type { Lane } from "./lanes.ts";
import { makeReport, type Report } from "./progress.ts";
import { type ResultLimits, writeResult } from "./result-text.ts";

/** Delay between attempts to record an end while the storage cannot be written. */
const RETRY_MS = 1000;
/** Codes of storage that cannot be written now: full, away, or too many writers beside. */
const outages: ReadonlySet<ErrorCode> = new Set(["storage_full", "storage_unavailable", "overloaded"]);
/** Least time between two announcements of the progress of a job. */
const PROGRESS_MS = 500;

export interface RunDeps {
  readonly store: Store;
  readonly handlers: Handlers;
  readonly clock: Clock;
  readonly results: ResultLimits;
  /** Called for bugs: thrown errors other than TorusError. */
  readonly onError: (error: unknown, job: { readonly id: string; readonly type: string } | null) => void;
  /** Called for every job that ran and has ended. */
  readonly onEnd?: (end: JobEnd) => void;
}

/** End of a job that ran. */
export interface JobEnd {
  readonly id: string;
  readonly type: string;
  readonly model: string | null;
  readonly state: "done" | "failed" | "canceled";
  readonly durationMs: number;
  /** Present for failed jobs. */
  readonly error?: { readonly code: string; readonly message: string };
}

export class JobRun {
  readonly controller = new AbortController();
  report: Report | undefined;
  /** The job has already left this run (canceled, given back): the outcome of its handler is dropped. */
  dropped = false;
  /** Result of a foreground job, for the waiting request; it is not stored. */
  answer: { readonly result: unknown } | undefined;
  /** The server stops: an aborted handler gives the job back. */
  stopping = false;
  #wake: (() => void) | undefined;
  readonly #announced: Pacer<Report>;

  constructor(
    readonly job: ClaimedJob,
    readonly lane: Lane,
    private readonly deps: RunDeps,
  ) {
    const call = (report: Report) => this.#announce(report);
    this.#announced = new Pacer({ clock: deps.clock, intervalMs: PROGRESS_MS, call });
  }

  /** Runs the handler and records its end; never rejects. */
  async execute(): Promise<void> {
    try {
      const outcome = await this.#handle().finally(() => this.#announced.stop());
      const commit = await this.#prepareCommit(outcome);
      const isCommitted = await this.#record(() => commit(this.#claim()));
      this.#reportEnd(isCommitted ? "done" : "canceled");
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** Jobs that were given back have not ended; dropped ones were canceled. */
  #reportEnd(state: JobEnd["state"], error?: JobEnd["error"]): void {
    if (this.stopping) return;
    const { id, type, model, startedAt } = this.job;
    const nowAt = this.deps.clock.now();
    const durationMs = Math.max(0, nowAt - (startedAt ?? nowAt));
    const end = { id, type, model, durationMs };
    if (this.dropped) this.deps.onEnd?.({ ...end, state: "canceled" });
    else this.deps.onEnd?.({ ...end, state, ...(error && { error }) });
  }

  /** Aborts the handler. @param dropped its end is already recorded; otherwise the server stops */
  abort({ dropped }: { dropped: boolean }): void {
    if (dropped) this.dropped = true;
    else this.stopping = true;
    this.#announced.stop();
    this.#wake?.();
    this.controller.abort(new TorusError("canceled", "the job was canceled"));
  }

  /** Returns the job to waiting; the attempt does not count. */
  async giveBack(): Promise<void> {
    this.dropped = true;
    await giveBackJob(this.deps.store, { id: this.job.id, owner: this.job.owner });
  }

  #handle(): Promise<Outcome> {
    const { id, type, model, input, attempts, startedAt } = this.job;
    const { clock, handlers } = this.deps;
    const name = handlerOf(type, input);
    // The stored JSON was written by a submission of the same type.
    const job = { id, type, model, input: input as HandlerInputs[HandlerName], attempt: attempts };
    return callHandler(handlers, name, job, {
      signal: this.controller.signal,
      onProgress: (progress) => {
        this.report = makeReport(progress, clock.now() - (startedAt ?? clock.now()));
        if (!this.controller.signal.aborted) this.#announced.give(this.report);
      },
    });
  }

  #announce({ progress, remainingMs }: Report): void {
    const { id, type, model } = this.job;
    const change = { type: "job", id, job: type, model, state: "running", progress } as const;
    this.deps.store.changes.publish([{ ...change, ...(remainingMs !== undefined && { remainingMs }) }]);
  }

  /** Text of the result to store. @throws TorusError `too_large` */
  async #writeResult(result: unknown): Promise<ResultText | null> {
    if (!this.job.foreground) return writeResult(result, this.deps.results, this.controller.signal);
    this.answer = { result };
    return result === null || result === undefined ? null : notKept;
  }

  /** @returns the transaction that ends the job: the outcome's own, or one that stores its result */
  async #prepareCommit(outcome: Outcome): Promise<(claim: Claim) => Promise<boolean>> {
    if (outcome.commit) return outcome.commit;
    const { store, results } = this.deps;
    const text = await this.#writeResult(outcome.result);
    return (claim) => finishJob(store, claim, text, results.inTotal);
  }

  async #fail(error: unknown): Promise<void> {
    const { store, onError } = this.deps;
    if (this.dropped) return this.#reportEnd("failed");
    try {
      if (this.stopping) return await this.giveBack();
      if (!(error instanceof TorusError)) onError(error, this.job);
      const described = describeError(error);
      await this.#record(() => failJob(store, this.#claim(), described));
      this.#reportEnd("failed", described);
    } catch (cause) {
      onError(cause, this.job);
    }
  }

  /** Retries while the storage cannot be written. @returns undefined if the job was dropped meanwhile */
  async #record<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!this.dropped) {
      try {
        return await attempt();
      } catch (error) {
        const isTemporary = error instanceof TorusError && outages.has(error.code);
        if (!isTemporary || this.stopping) throw error;
        await this.#pause();
      }
    }
    return undefined;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const clearTimer = this.deps.clock.setTimer(resolve, RETRY_MS);
      this.#wake = () => {
        clearTimer();
        resolve();
      };
    });
  }

  #claim(): Claim {
    return { id: this.job.id, owner: this.job.owner, at: this.deps.clock.now() };
  }
}

function callHandler<N extends HandlerName>(
  handlers: Handlers,
  name: N,
  job: Job<N>,
  context: HandlerContext,
): Promise<Outcome> {
  return handlers[name](job, context);
}
