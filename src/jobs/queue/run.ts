// One claimed job from its handler to its end in the store.
import { describeError, TorusError } from "../../core/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { type ClaimedJob, failJob, finishJob, giveBackJob } from "../../store/jobs/jobs.ts";
import { notKept, type ResultText } from "../../store/jobs/results.ts";
import { finishTraining } from "../../store/versions.ts";
import type { Handler, Handlers, Job, Outcome, ResultOutcome, TrainedOutcome } from "./handler.ts";
import { type TrainJob, versionsIn } from "./input.ts";
import type { Lane } from "./lanes.ts";
import { makeReport, type Report } from "./progress.ts";
import { type ResultLimits, writeResult } from "./result-text.ts";

const RETRY_MS = 1000;

export interface RunDeps {
  readonly store: Store;
  readonly handlers: Handlers;
  readonly clock: Clock;
  /** Versions of a model that stay when a training adds one, the newest ones; at least 1. */
  readonly versionsKept: number;
  readonly results: ResultLimits;
  /** Told of bugs: anything thrown that is no TorusError. */
  readonly onError: (error: unknown, job: { readonly id: string; readonly type: string } | null) => void;
  /** Called for every job that has run and ended. */
  readonly onEnd?: (end: JobEnd) => void;
}

/** How a job that has run ended. */
export interface JobEnd {
  readonly id: string;
  readonly type: string;
  readonly model: string | null;
  readonly state: "done" | "failed" | "canceled";
  readonly durationMs: number;
  /** Of one that failed. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** A job that runs here and now. */
export class JobRun {
  readonly controller = new AbortController();
  report: Report | undefined;
  /** Its end is in the store already (canceled, given back): whatever the handler brings is dropped. */
  dropped = false;
  /** Result of a foreground job, for the request that waits for it: the store does not keep it. */
  answer: { readonly result: unknown } | undefined;
  /** The server stops: a handler that gives up gives the job back. */
  stopping = false;
  #wake: (() => void) | undefined;

  constructor(
    readonly job: ClaimedJob,
    readonly lane: Lane,
    private readonly deps: RunDeps,
  ) {}

  /** Runs the handler and records how it ended; never rejects. */
  async execute(): Promise<void> {
    try {
      const outcome = await this.#handle();
      const text = await this.#writeResult(outcome);
      const isCounted = await this.#record(() => this.#commit(outcome, text));
      this.#tellEnd(isCounted ? "done" : "canceled");
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** A job that was given back has not ended; one that was dropped was canceled. */
  #tellEnd(state: JobEnd["state"], error?: JobEnd["error"]): void {
    if (this.stopping) return;
    const { id, type, model, startedAt } = this.job;
    const nowAt = this.deps.clock.now();
    const durationMs = Math.max(0, nowAt - (startedAt ?? nowAt));
    const end = { id, type, model, durationMs };
    if (this.dropped) this.deps.onEnd?.({ ...end, state: "canceled" });
    else this.deps.onEnd?.({ ...end, state, ...(error && { error }) });
  }

  /** Aborts the handler. @param dropped its end is recorded already */
  abort({ dropped }: { dropped: boolean }): void {
    if (dropped) this.dropped = true;
    else this.stopping = true;
    this.#wake?.();
    this.controller.abort(new TorusError("canceled", "the job was canceled"));
  }

  /** Gives the job back to waiting, its attempt unused. */
  async giveBack(): Promise<void> {
    this.dropped = true;
    await giveBackJob(this.deps.store, { id: this.job.id, owner: this.job.owner });
  }

  #handle(): Promise<Outcome> {
    const { id, type, model, input, attempts, startedAt } = this.job;
    const { clock, handlers } = this.deps;
    // The row's type names the handler, and its input was written by the same type's submission.
    const handler = handlers[type] as Handler;
    const job = { id, type, model, input, attempt: attempts } as Job;
    return handler(job, {
      signal: this.controller.signal,
      onProgress: (progress) => {
        this.report = makeReport(progress, clock.now() - (startedAt ?? clock.now()));
      },
    });
  }

  /** What is kept of the result. @throws TorusError `too_large` */
  async #writeResult(outcome: Outcome): Promise<ResultText | null> {
    if (this.job.type === "training") return null;
    const { result } = outcome as ResultOutcome;
    if (!this.job.foreground) return writeResult(result, this.deps.results, this.controller.signal);
    this.answer = { result };
    return result === null || result === undefined ? null : notKept;
  }

  /** @returns whether it counts: the claim still holds, and there is still a model to train */
  async #commit(outcome: Outcome, text: ResultText | null): Promise<boolean> {
    const { store, versionsKept, results } = this.deps;
    const claim = this.#claim();
    if (this.job.type !== "training") return finishJob(store, claim, text, results.inTotal);
    const { trained, settings, range } = outcome as TrainedOutcome;
    const { model } = this.job.input as TrainJob;
    const { weights, parameters, summary } = trained;
    const retention = { keep: versionsKept, versionsIn };
    const version = { model, settings, ...range, weights, parameters, summary };
    return (await finishTraining(store, claim, { ...version, retention })) !== undefined;
  }

  async #fail(error: unknown): Promise<void> {
    const { store, onError } = this.deps;
    if (this.dropped) return this.#tellEnd("failed");
    try {
      if (this.stopping) return await this.giveBack();
      if (!(error instanceof TorusError)) onError(error, this.job);
      const described = describeError(error);
      await this.#record(() => failJob(store, this.#claim(), described));
      this.#tellEnd("failed", described);
    } catch (cause) {
      onError(cause, this.job);
    }
  }

  /** Tries until the disk has room again: a job must end, even when its end cannot be written now. */
  async #record<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!this.dropped) {
      try {
        return await attempt();
      } catch (error) {
        const full = error instanceof TorusError && error.code === "storage_full";
        if (!full || this.stopping) throw error;
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

  #claim(): { id: string; owner: string; at: number } {
    return { id: this.job.id, owner: this.job.owner, at: this.deps.clock.now() };
  }
}
