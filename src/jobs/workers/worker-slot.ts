// Slot of the pool: one worker and its task; handles cancellation, silence, crashes and idleness.
import type { LoadTask, Task, TaskProgress, TaskResult } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Timers } from "../../runtime/timers.ts";
import { attachWorker, type ComputeWorker, type TaskMessage } from "./compute-worker.ts";
import type { SharedRuntime } from "./shared-runtime.ts";

/** A worker that has not reacted to a cancel by then is replaced. */
const CANCEL_GRACE_MS = 5000;
/** Workers report several times a second: one without a message for this long is replaced. */
const SILENCE_MS = 60_000;
/** A worker without a task for this long is ended, to free its memory. */
const IDLE_MS = 30_000;
/** Back-off between restarts of a crashing worker. */
const FIRST_RESPAWN_MS = 100;
const MAX_RESPAWN_MS = 30_000;
/** Consecutive crashes after which the worker counts as failing. */
const FAILING_CRASHES = 3;
/**
 * WASM memory never shrinks, so a worker is replaced after this much work. The small tasks of live windows count for
 * little: live windows wait during a restart.
 */
const MAX_WORK_PER_WORKER = 5000;
const workOf = ({ kind }: Task | LoadTask) => (kind === "score" ? 0.001 : 1);

export interface SlotDeps {
  readonly clock: Clock;
  /** Starts a compute worker. */
  readonly spawn: () => Worker;
  readonly onCrash: (message: string) => void;
  /** Keeps the idle worker; called each time the idle time has passed. */
  readonly isKept: () => boolean;
  readonly runtime: SharedRuntime;
}

/** A task with its callbacks. */
export interface PendingTask {
  readonly task: Task | LoadTask;
  /** Arrays of the task to transfer instead of copying. */
  readonly transfer: readonly Float32Array[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
  /** The result of a task to load is undefined. */
  readonly resolve: (result: TaskResult | undefined) => void;
  readonly reject: (error: TorusError) => void;
}

interface Running {
  readonly id: number;
  readonly pending: PendingTask;
  /** Frees the slot. */
  readonly release: () => void;
}

export class WorkerSlot {
  #worker: ComputeWorker | undefined;
  #running: Running | undefined;
  #busy = false;
  #work = 0;
  #crashes = 0;
  #nextId = 1;
  #stopped = false;
  readonly #timers: Timers;
  #stopWatching = () => {};
  #stopIdling = () => {};

  constructor(private readonly deps: SlotDeps) {
    this.#timers = new Timers(deps.clock);
  }

  get isFree(): boolean {
    return !this.#busy && !this.#stopped;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Whether its workers have crashed repeatedly. */
  get isFailing(): boolean {
    return this.#crashes >= FAILING_CRASHES;
  }

  /** Runs one task and settles it; resolves when the slot is free again, never rejects. */
  async perform(pending: PendingTask): Promise<void> {
    this.#busy = true;
    this.#stopIdling();
    try {
      await this.#backOff();
      if (this.#stopped || pending.signal.aborted) return pending.reject(canceled());
      const worker = this.#start();
      if (!(await worker.ready)) return pending.reject(crashed("it could not start"));
      if (this.#stopped || pending.signal.aborted) return pending.reject(canceled());
      await this.#execute(worker.handle, pending);
      this.#work += workOf(pending.task);
      if (this.#work >= MAX_WORK_PER_WORKER) this.#discard();
    } finally {
      this.#busy = false;
      this.#idle();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timers.clear();
    const worker = this.#worker;
    if (!worker) return;
    // Terminating a worker that is still loading can crash the host.
    await worker.ready;
    this.#discard();
    this.#settle((pending) => pending.reject(canceled()));
  }

  #start(): ComputeWorker {
    if (this.#worker) return this.#worker;
    this.#work = 0;
    const { runtime } = this.deps;
    this.#worker = attachWorker(this.deps.spawn(), {
      onMessage: (message) => this.#receive(message),
      onCompiled: (module) => runtime.offer(module),
      onDeath: (handle, reason) => this.#die(handle, reason),
    });
    runtime.join();
    return this.#worker;
  }

  /** Sends the task and waits until the worker has finished it or died. */
  #execute(handle: Worker, pending: PendingTask): Promise<void> {
    return new Promise((release) => {
      const id = this.#nextId++;
      const cancel = new SharedArrayBuffer(4);
      const onAbort = () => this.#cancel(id, cancel);
      const finish = () => {
        pending.signal.removeEventListener("abort", onAbort);
        release();
      };
      this.#running = { id, pending, release: finish };
      pending.signal.addEventListener("abort", onAbort, { once: true });
      const buffers = pending.transfer.map(({ buffer }) => buffer);
      const moved = buffers.filter((buffer) => buffer instanceof ArrayBuffer);
      try {
        const { module } = this.deps.runtime;
        handle.postMessage({ type: "task", id, task: pending.task, cancel, runtime: module }, moved);
        this.#watch(id);
      } catch {
        // The message is copied, for which there may be no memory.
        this.#settle(() => pending.reject(crashed("the task could not be sent")));
      }
    });
  }

  /** Replaces the worker if it sends no message about this task for too long. */
  #watch(id: number): void {
    this.#stopWatching();
    this.#stopWatching = this.#timers.set(SILENCE_MS, () => {
      if (this.#running?.id !== id) return;
      this.#discard();
      this.deps.onCrash("it did not respond");
      this.#settle((pending) => pending.reject(crashed("it did not respond")));
    });
  }

  /** Ends the worker after it was idle for a while; the next task starts another one. */
  #idle(): void {
    if (!this.#worker || this.#stopped) return;
    this.#stopIdling = this.#timers.set(IDLE_MS, () => {
      if (this.deps.isKept()) this.#idle();
      else this.#discard();
    });
  }

  /** Rejects at once; the worker gets a grace period to react to the flag. */
  #cancel(id: number, flag: SharedArrayBuffer): void {
    if (this.#running?.id !== id) return;
    Atomics.store(new Int32Array(flag), 0, 1);
    this.#running.pending.reject(canceled());
    this.#timers.set(CANCEL_GRACE_MS, () => {
      if (this.#running?.id !== id) return;
      this.#discard();
      this.#settle(() => {});
    });
  }

  #receive(message: TaskMessage): void {
    // Late messages about an earlier task are ignored.
    if (this.#running?.id !== message.id) return;
    if (message.type === "progress") {
      this.#watch(message.id);
      this.#running.pending.onProgress(message.progress);
      return;
    }
    this.#crashes = 0;
    // A runtime that ran out of memory fails all later tasks: only a new worker helps.
    if (message.type === "failed") this.#discard();
    this.#settle((pending) => answer(pending, message));
  }

  #die(handle: Worker, reason: string): void {
    if (this.#worker?.handle !== handle) return;
    this.#worker = undefined;
    this.deps.runtime.leave();
    this.#crashes++;
    if (!this.#stopped) this.deps.onCrash(reason);
    this.#settle((pending) => pending.reject(crashed(reason)));
  }

  #discard(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    this.deps.runtime.leave();
    worker.handle.terminate();
  }

  #settle(settle: (pending: PendingTask) => void): void {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    this.#timers.clear();
    settle(running.pending);
    running.release();
  }

  #backOff(): Promise<void> {
    if (this.#crashes < 2) return Promise.resolve();
    return this.#timers.wait(Math.min(MAX_RESPAWN_MS, FIRST_RESPAWN_MS * 2 ** (this.#crashes - 2)));
  }
}

function answer(pending: PendingTask, message: Exclude<TaskMessage, { type: "progress" }>): void {
  if (message.type === "done") pending.resolve(message.result);
  else if (message.type === "canceled") pending.reject(canceled());
  else pending.reject(new TorusError("worker_crashed", `the computation failed: ${message.message}`));
}

function canceled(): TorusError {
  return new TorusError("canceled", "the task was canceled");
}

function crashed(reason: string): TorusError {
  return new TorusError("worker_crashed", `a compute worker died (${reason}); it was replaced, so try again`);
}
