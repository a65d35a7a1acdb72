// The pool of compute workers: lanes of long-lived workers, started when first needed, replaced when they die.
import type { TaskProgress, Tasks } from "../../wasm/protocol.ts";
import { TorusError } from "../core/errors.ts";
import type { Compute, ComputeOptions } from "../models/kind.ts";
import { type Lease, type SlotDeps, WorkerSlot } from "./worker-slot.ts";

export interface PoolDeps extends SlotDeps {
  /** Workers for trainings; one more is kept for predictions alone. */
  readonly trainingWorkers: number;
}

interface Waiting {
  readonly lease: Lease;
}

interface PoolLane {
  readonly slots: readonly WorkerSlot[];
  readonly queue: Waiting[];
}

/** The one place that knows where the worker's program is; it must work from source and inside the binary. */
export function spawnWorker(): Worker {
  // Inside the binary every module has the address of the whole; entry points are found from its root.
  const isCompiled = import.meta.url.includes("$bunfs") || import.meta.url.includes("~BUN");
  return new Worker(isCompiled ? "./wasm/worker.ts" : new URL("../../wasm/worker.ts", import.meta.url).href);
}

/** Runs tasks in workers: one task per worker at a time, in order of arrival within a lane. */
export class Pool implements Compute {
  readonly #lanes: Readonly<Record<ComputeOptions["lane"], PoolLane>>;

  constructor(deps: PoolDeps) {
    const makeLane = (size: number): PoolLane => ({
      slots: Array.from({ length: size }, () => new WorkerSlot(deps)),
      queue: [],
    });
    this.#lanes = { training: makeLane(deps.trainingWorkers), prediction: makeLane(1) };
  }

  get trainingLanes(): number {
    return this.#lanes.training.slots.length;
  }

  /** Whether a worker dies again and again. */
  get isFailing(): boolean {
    return Object.values(this.#lanes).some(({ slots }) => slots.some((slot) => slot.isFailing));
  }

  run<K extends keyof Tasks>(
    task: Tasks[K]["task"] & { kind: K },
    { lane: name, signal, onProgress, handOver = [] }: ComputeOptions,
  ): Promise<Tasks[K]["result"]> {
    const lane = this.#lanes[name];
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(canceled());
      const withdraw = () => this.#withdraw(lane, waiting);
      // A signal may outlive thousands of tasks, and would keep all that they hold.
      const leave = () => signal.removeEventListener("abort", withdraw);
      const lease: Lease = {
        task,
        handOver,
        onProgress: (progress: TaskProgress) => onProgress?.(progress),
        resolve: (result) => {
          leave();
          // The worker answers each kind of task with the result of that kind.
          resolve(result as Tasks[K]["result"]);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
        signal,
      };
      const waiting = { lease };
      lane.queue.push(waiting);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#serve(lane);
    });
  }

  /** Ends all workers; running tasks are rejected. */
  async stop(): Promise<void> {
    const lanes = Object.values(this.#lanes);
    for (const lane of lanes) for (const { lease } of lane.queue.splice(0)) lease.reject(canceled());
    await Promise.all(lanes.flatMap((lane) => lane.slots.map((slot) => slot.stop())));
  }

  #serve(lane: PoolLane): void {
    // A worker that has started is preferred: another one costs some 80 MB.
    const free = lane.slots
      .filter((slot) => slot.isFree)
      .sort((a, b) => Number(b.isStarted) - Number(a.isStarted));
    for (const slot of free) {
      const next = lane.queue.shift();
      if (!next) return;
      void slot.perform(next.lease).then(() => this.#serve(lane));
    }
  }

  #withdraw(lane: PoolLane, waiting: Waiting): void {
    const index = lane.queue.indexOf(waiting);
    if (index < 0) return;
    lane.queue.splice(index, 1);
    waiting.lease.reject(canceled());
  }
}

function canceled(): TorusError {
  return new TorusError("canceled", "the task was canceled");
}
