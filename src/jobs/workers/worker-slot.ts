// One place of the pool: a worker, the task it is at, and what happens when it is canceled, silent, dead or idle.
import type { Task, TaskProgress, TaskResult } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Timers } from "../../runtime/timers.ts";
import { attachWorker, type ComputeWorker, type TaskMessage } from "./compute-worker.ts";

/** A worker that has not noticed a cancel by then is replaced. */
const CANCEL_GRACE_MS = 5000;
/** Workers report several times a second: one that is silent for so long hangs. */
const SILENCE_MS = 60_000;
/** A worker without a task for so long is ended: it holds some 80 MB. */
const IDLE_MS = 30_000;
/** Back-off between starts of a worker that keeps dying. */
const FIRST_RESPAWN_MS = 100;
const LONGEST_RESPAWN_MS = 30_000;
/** Deaths in a row that are no accident any more. */
const FAILING_DEATHS = 3;
/**
 * WASM memory never shrinks, so a worker starts afresh after so much work. A start costs half a second of CPU, in which
 * live windows wait: their small tasks leave nothing behind, and count for little.
 */
const WORK_PER_WORKER = 5000;
const workOf = ({ kind }: Task) => (kind === "score" ? 0.001 : 1);

export interface SlotDeps {
  readonly clock: Clock;
  /** Starts a compute worker; injected so that tests can start other ones. */
  readonly spawn: () => Worker;
  readonly onCrash: (message: string) => void;
  /** Whether the worker outlives its idle time, asked every time it has passed. */
  readonly isKept: () => boolean;
}

/** A task, and whom to tell. */
export interface PendingTask {
  readonly task: Task;
  /** Arrays of the task to move, not to copy. */
  readonly transfer: readonly Float32Array[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: TorusError) => void;
}

interface Running {
  readonly id: number;
  readonly lease: PendingTask;
  /** Frees the slot. */
  readonly release: () => void;
}

export class WorkerSlot {
  #worker: ComputeWorker | undefined;
  #running: Running | undefined;
  #busy = false;
  #work = 0;
  #deaths = 0;
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

  /** Its workers have died one after the other. */
  get isFailing(): boolean {
    return this.#deaths >= FAILING_DEATHS;
  }

  /** Runs one task; settles the lease, resolves when the slot is free again; never rejects. */
  async perform(lease: PendingTask): Promise<void> {
    this.#busy = true;
    this.#stopIdling();
    try {
      await this.#backOff();
      if (this.#stopped || lease.signal.aborted) return lease.reject(canceled());
      const worker = this.#start();
      if (!(await worker.ready)) return lease.reject(crashed("it could not start"));
      if (this.#stopped || lease.signal.aborted) return lease.reject(canceled());
      await this.#execute(worker.handle, lease);
      this.#work += workOf(lease.task);
      if (this.#work >= WORK_PER_WORKER) this.#discard();
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
    // Only a worker that has said it is ready may be terminated: ending one that loads was seen to crash the host.
    await worker.ready;
    this.#discard();
    this.#settle((lease) => lease.reject(canceled()));
  }

  #start(): ComputeWorker {
    if (this.#worker) return this.#worker;
    this.#work = 0;
    this.#worker = attachWorker(this.deps.spawn(), {
      onMessage: (message) => this.#receive(message),
      onDeath: (handle, reason) => this.#die(handle, reason),
    });
    return this.#worker;
  }

  /** Hands the task over and waits until the worker is done with it, or gone. */
  #execute(handle: Worker, lease: PendingTask): Promise<void> {
    return new Promise((release) => {
      const id = this.#nextId++;
      const cancel = new SharedArrayBuffer(4);
      const onAbort = () => this.#cancel(id, cancel);
      const leave = () => {
        lease.signal.removeEventListener("abort", onAbort);
        release();
      };
      this.#running = { id, lease, release: leave };
      lease.signal.addEventListener("abort", onAbort, { once: true });
      const moved = lease.transfer.map(({ buffer }) => buffer as ArrayBuffer);
      try {
        handle.postMessage({ type: "task", id, task: lease.task, cancel }, moved);
        this.#watch(id);
      } catch {
        // The task is copied on its way: there may be no memory for that.
        this.#settle(() => lease.reject(crashed("the task could not be handed over")));
      }
    });
  }

  /** Replaces the worker if nothing is heard of this task for too long. */
  #watch(id: number): void {
    this.#stopWatching();
    this.#stopWatching = this.#timers.set(SILENCE_MS, () => {
      if (this.#running?.id !== id) return;
      this.#discard();
      this.deps.onCrash("it was silent");
      this.#settle((lease) => lease.reject(crashed("it was silent")));
    });
  }

  /** Ends the worker once it has had no task for a while; the next task starts another one. */
  #idle(): void {
    if (!this.#worker || this.#stopped) return;
    this.#stopIdling = this.#timers.set(IDLE_MS, () => {
      if (this.deps.isKept()) this.#idle();
      else this.#discard();
    });
  }

  /** The caller hears at once; the worker gets a while to notice the flag. */
  #cancel(id: number, flag: SharedArrayBuffer): void {
    if (this.#running?.id !== id) return;
    Atomics.store(new Int32Array(flag), 0, 1);
    this.#running.lease.reject(canceled());
    this.#timers.set(CANCEL_GRACE_MS, () => {
      if (this.#running?.id !== id) return;
      this.#discard();
      this.#settle(() => {});
    });
  }

  #receive(message: TaskMessage): void {
    // A late word about an earlier task means nothing any more.
    if (this.#running?.id !== message.id) return;
    if (message.type === "progress") {
      this.#watch(message.id);
      this.#running.lease.onProgress(message.progress);
      return;
    }
    this.#deaths = 0;
    // A runtime that once was short of memory refuses all that comes after: only a new worker has another one.
    if (message.type === "failed") this.#discard();
    this.#settle((lease) => answer(lease, message));
  }

  #die(handle: Worker, reason: string): void {
    if (this.#worker?.handle !== handle) return;
    this.#worker = undefined;
    this.#deaths++;
    if (!this.#stopped) this.deps.onCrash(reason);
    this.#settle((lease) => lease.reject(crashed(reason)));
  }

  #discard(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.handle.terminate();
  }

  #settle(tell: (lease: PendingTask) => void): void {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    this.#timers.clear();
    tell(running.lease);
    running.release();
  }

  #backOff(): Promise<void> {
    if (this.#deaths < 2) return Promise.resolve();
    return this.#timers.wait(Math.min(LONGEST_RESPAWN_MS, FIRST_RESPAWN_MS * 2 ** (this.#deaths - 2)));
  }
}

function answer(lease: PendingTask, message: Exclude<TaskMessage, { type: "progress" }>): void {
  if (message.type === "done") lease.resolve(message.result);
  else if (message.type === "canceled") lease.reject(canceled());
  else lease.reject(new TorusError("worker_crashed", `the computation failed: ${message.message}`));
}

function canceled(): TorusError {
  return new TorusError("canceled", "the task was canceled");
}

function crashed(reason: string): TorusError {
  return new TorusError("worker_crashed", `a compute worker died (${reason}); it was replaced, so try again`);
}
