// Writes predictions to output buckets: per model in order, with retries, without delaying detection. Problems are stored.
import { describeError, TorusError } from "../core/errors.ts";
import type { Point } from "../core/series/query.ts";
import type { OpenBucket } from "../points/features.ts";
import { savePoints } from "../points/save.ts";
import { abortable } from "../runtime/abortable.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { type LiveRow, type OutputProblem, saveOutputProblems } from "../store/live.ts";

/** Predictions of a model that wait for their bucket; beyond, the oldest are dropped. */
const MAX_WAITING = 100;
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 1000;
const DEADLINE_MS = 30_000;
/** Problems that change within this time are stored in one transaction. */
const STORE_AFTER_MS = 1000;

/** The prediction of one window. */
interface Saving {
  readonly model: string;
  readonly points: readonly Point[];
  readonly target: { readonly bucket: string };
  /** Of the live row. */
  readonly known: OutputProblem | null;
}

interface OutputDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly openBucket: OpenBucket;
  readonly onError: (error: unknown, model: string | null) => void;
}

interface ModelQueue {
  readonly waiting: Saving[];
  attempts: number;
  dropped: number;
  problem: OutputProblem | null;
  /** As in the live row. */
  stored: OutputProblem | null;
  writing: AbortController | undefined;
  clearTimer: () => void;
}

export class Output {
  readonly #queues = new Map<string, ModelQueue>();
  #clearStoreTimer: (() => void) | undefined;

  constructor(private readonly deps: OutputDeps) {}

  /** Queues a prediction; returns at once. */
  save(saving: Saving): void {
    const queue = this.#queues.get(saving.model) ?? makeQueue(saving.known);
    this.#queues.set(saving.model, queue);
    queue.waiting.push(saving);
    if (queue.waiting.length > MAX_WAITING) {
      queue.waiting.shift();
      queue.dropped++;
    }
    if (!queue.writing) void this.#write(saving.model, queue);
  }

  /** The last failed write, until one succeeds; over restarts. */
  problemOf({ model, outputError }: Pick<LiveRow, "model" | "outputError">): OutputProblem | null {
    const queue = this.#queues.get(model);
    return queue ? queue.problem : outputError;
  }

  /** Drops what waits for a model that was stopped. */
  forget(model: string): void {
    const queue = this.#queues.get(model);
    this.#queues.delete(model);
    queue?.clearTimer();
    queue?.writing?.abort(new TorusError("canceled", "the model was stopped"));
  }

  /** Stores problems, then drops what waits. */
  async stop(): Promise<void> {
    await this.#storeProblems();
    this.#clearStoreTimer?.();
    for (const model of [...this.#queues.keys()]) this.forget(model);
  }

  async #write(model: string, queue: ModelQueue): Promise<void> {
    const [saving] = queue.waiting;
    if (!saving) return;
    const controller = new AbortController();
    queue.writing = controller;
    const clearTimer = this.deps.clock.setTimer(
      () => controller.abort(new TorusError("deadline", "the output bucket did not answer in time")),
      DEADLINE_MS,
    );
    queue.clearTimer = clearTimer;
    let delayMs = 0;
    try {
      await abortable(savePoints(this.deps.openBucket, saving, controller.signal), controller.signal);
      this.#succeed(queue, saving);
    } catch (error) {
      delayMs = this.#fail(model, queue, { saving, error });
    }
    clearTimer();
    if (this.#queues.get(model) !== queue) return;
    if (isChanged(queue)) this.#clearStoreTimer ??= this.#planStore();
    queue.clearTimer = this.deps.clock.setTimer(() => {
      queue.writing = undefined;
      void this.#write(model, queue);
    }, delayMs);
  }

  #succeed(queue: ModelQueue, saving: Saving): void {
    queue.problem = null;
    queue.attempts = 0;
    remove(queue.waiting, saving);
  }

  /** @returns how long to wait before the next attempt, ms */
  #fail(model: string, queue: ModelQueue, { saving, error }: { saving: Saving; error: unknown }): number {
    const { clock, onError } = this.deps;
    if (!(error instanceof TorusError)) onError(error, model);
    queue.attempts++;
    const delayMs = FIRST_RETRY_MS * 2 ** (queue.attempts - 1);
    if (queue.attempts >= MAX_ATTEMPTS) {
      queue.attempts = 0;
      if (remove(queue.waiting, saving)) queue.dropped++;
    }
    queue.problem = { ...describeError(error), at: clock.now(), dropped: queue.dropped };
    return delayMs;
  }

  #planStore(): () => void {
    return this.deps.clock.setTimer(() => void this.#storeProblems(), STORE_AFTER_MS);
  }

  /** Never rejects: what cannot be stored, with a full disk, is tried again. */
  async #storeProblems(): Promise<void> {
    const { store, onError } = this.deps;
    this.#clearStoreTimer?.();
    this.#clearStoreTimer = undefined;
    const changed = [...this.#queues].filter(([, queue]) => isChanged(queue));
    if (changed.length === 0) return;
    const problems = new Map(changed.map(([model, { problem }]) => [model, problem]));
    try {
      await saveOutputProblems(store, problems);
      for (const [model, queue] of changed) queue.stored = problems.get(model)!;
    } catch (error) {
      if (!(error instanceof TorusError)) onError(error, null);
      this.#clearStoreTimer ??= this.#planStore();
    }
  }
}

/** Instant and count of a problem that goes on are not stored anew: there are many. */
function isChanged({ problem, stored }: ModelQueue): boolean {
  return problem?.code !== stored?.code || problem?.message !== stored?.message;
}

function makeQueue(known: OutputProblem | null): ModelQueue {
  return {
    waiting: [],
    attempts: 0,
    dropped: known?.dropped ?? 0,
    problem: known,
    stored: known,
    writing: undefined,
    clearTimer: () => {},
  };
}

/** @returns false where it was dropped already */
function remove(waiting: Saving[], saving: Saving): boolean {
  const index = waiting.indexOf(saving);
  if (index >= 0) waiting.splice(index, 1);
  return index >= 0;
}
