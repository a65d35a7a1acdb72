// A manual clock, and handlers whose calls end when the test ends them.
import type { ModelSettings } from "../../src/core/model/model.ts";
import type { CommitOutcome, HandlerContext, Handlers, Job, Outcome } from "../../src/jobs/queue/handler.ts";
import { type TrainJob, versionsIn } from "../../src/jobs/queue/input.ts";
import { Queue, type QueueDeps } from "../../src/jobs/queue/queue.ts";
import type { TrainedModel } from "../../src/models/kind.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Store } from "../../src/store/db/open.ts";
import { finishTraining } from "../../src/store/versions.ts";

export class FakeClock implements Clock {
  readonly #timers = new Map<() => void, number>();
  constructor(public at = 1_000_000) {}

  now(): number {
    return this.at;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = () => callback();
    this.#timers.set(timer, this.at + delayMs);
    return () => this.#timers.delete(timer);
  }

  /** Moves on, calling back what falls due, in order. */
  advance(ms: number): void {
    const target = this.at + ms;
    for (;;) {
      const [timer, dueAt] = [...this.#timers].sort((a, b) => a[1] - b[1])[0] ?? [];
      if (!timer || dueAt! > target) break;
      this.#timers.delete(timer);
      this.at = Math.max(this.at, dueAt!);
      timer();
    }
    this.at = target;
  }

  get pending(): number {
    return this.#timers.size;
  }
}

export interface FakeOutcome {
  readonly result: unknown;
  readonly settings?: ModelSettings;
}

/** A handler call in progress. */
export interface Call {
  readonly job: Job;
  readonly context: HandlerContext;
  /** @param outcome result, or of a training the settings that its version has */
  done(outcome?: FakeOutcome): void;
  fail(error: unknown): void;
}

export const trained: TrainedModel = {
  weights: new Float32Array([1, 2]),
  parameters: { p: 1 },
  summary: { loss: 0.1 },
};

/** Handlers of which every call waits until the test ends it. */
export class FakeHandlers {
  /** Calls not ended yet, oldest first. */
  readonly calls: Call[] = [];
  #arrived: (() => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly versionsKept: number,
  ) {}

  readonly handlers: Handlers = {
    training: (job, context) => this.#call(job, context),
    forecast: (job, context) => this.#call(job, context),
    seriesForecast: (job, context) => this.#call(job, context),
    prediction: (job, context) => this.#call(job, context),
    seriesDetection: (job, context) => this.#call(job, context),
    scan: (job, context) => this.#call(job, context),
    read: (job, context) => this.#call(job, context),
    write: (job, context) => this.#call(job, context),
    backtest: (job, context) => this.#call(job, context),
  };

  /** The call for a job, as soon as there is one. */
  async call(id: string): Promise<Call> {
    for (;;) {
      const call = this.calls.find(({ job }) => job.id === id);
      if (call) return call;
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }

  #call(job: Job, context: HandlerContext): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = () => this.calls.splice(this.calls.indexOf(call), 1);
      const call: Call = {
        job,
        context,
        done: (outcome = { result: { of: job.id } }) => {
          leave();
          resolve(job.type === "training" ? this.#commitOf(job.input as TrainJob, outcome) : outcome);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      this.calls.push(call);
      for (const resume of this.#arrived.splice(0)) resume();
    });
  }

  #commitOf({ model, settings }: TrainJob, own: FakeOutcome): CommitOutcome {
    const retention = { keep: this.versionsKept, versionsIn };
    const version = { model, settings: own.settings ?? settings, fromAt: 0, toAt: 60_000, ...trained };
    return {
      commit: async (claim) =>
        (await finishTraining(this.store, claim, { ...version, retention })) !== undefined,
    };
  }
}

export interface QueueWorld {
  readonly queue: Queue;
  readonly clock: FakeClock;
  readonly fake: FakeHandlers;
  readonly errors: unknown[];
}

/** A queue over a real store, not started. */
export function makeQueue(
  store: Store,
  { versionsKept = 30, ...options }: Partial<QueueDeps> & { readonly versionsKept?: number } = {},
): QueueWorld {
  const clock = new FakeClock();
  const fake = new FakeHandlers(store, versionsKept);
  const errors: unknown[] = [];
  const queue = new Queue({
    store,
    handlers: fake.handlers,
    clock,
    newId: () => crypto.randomUUID(),
    onError: (error) => errors.push(error),
    lanes: { training: 1, prediction: 2, data: 2 },
    maxWaiting: 100,
    retention: { maxAgeMs: 7 * 86_400_000, maxCount: 10_000 },
    results: { perJob: 1_000_000, inTotal: 4_000_000 },
    graceMs: 5000,
    ...options,
  });
  return { queue, clock, fake, errors };
}

/** Lets everything that is ready to run do so. */
export async function drain(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
