// Pool of compute workers: started on demand, replaced after a crash, ended when idle; live windows go first.
import type { TaskProgress, TaskResult, Tasks } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import type { Compute, ComputeOptions } from "../../models/kind.ts";
import { SharedRuntime } from "./shared-runtime.ts";
import { type PendingTask, type SlotDeps, WorkerSlot } from "./worker-slot.ts";

interface PoolDeps extends Omit<SlotDeps, "isKept" | "runtime"> {
  /** Workers for trainings; one more serves live windows and predictions. */
  readonly trainingWorkers: number;
  /** Keeps the prediction worker when idle, as while models are live. Default: false. */
  readonly keepsPrediction?: () => boolean;
}

/** Workers with shared queues, in the order of priority. */
interface PoolLane {
  readonly slots: readonly WorkerSlot[];
  readonly queues: readonly PendingTask[][];
}

/** Queue of each lane. Live windows share the prediction worker and are served first. */
const queueOfLane = {
  training: { workers: "training", priority: 0 },
  live: { workers: "prediction", priority: 0 },
  prediction: { workers: "prediction", priority: 1 },
} as const satisfies Record<ComputeOptions["lane"], unknown>;

/** Starts the worker's program, from source or inside the binary. */
export function spawnWorker(): Worker {
  // Inside the binary import.meta.url is that of the binary; entry points are relative to its root.
  const isCompiled = import.meta.url.includes("$bunfs") || import.meta.url.includes("~BUN");
  return new Worker(
    isCompiled ? "./wasm/worker.ts" : new URL("../../../wasm/worker.ts", import.meta.url).href,
  );
}

/** Runs tasks in workers: one task per worker at a time, in order of arrival within a lane. */
export class Pool implements Compute {
  readonly #lanes: Readonly<Record<"training" | "prediction", PoolLane>>;

  constructor({ trainingWorkers, keepsPrediction = () => false, ...deps }: PoolDeps) {
    const runtime = new SharedRuntime();
    const makeSlots = (size: number, isKept: () => boolean) =>
      Array.from({ length: size }, () => new WorkerSlot({ ...deps, isKept, runtime }));
    this.#lanes = {
      training: { slots: makeSlots(trainingWorkers, () => false), queues: [[]] },
      prediction: { slots: makeSlots(1, keepsPrediction), queues: [[], []] },
    };
  }

  get trainingLanes(): number {
    return this.#lanes.training.slots.length;
  }

  /** Whether a worker crashes repeatedly. */
  get isFailing(): boolean {
    return Object.values(this.#lanes).some(({ slots }) => slots.some((slot) => slot.isFailing));
  }

  run<K extends keyof Tasks>(
    task: Tasks[K]["task"] & { kind: K },
    options: ComputeOptions,
  ): Promise<Tasks[K]["result"]> {
    // The worker answers each kind of task with the result of that kind.
    return this.#enqueue(task, options) as Promise<Tasks[K]["result"]>;
  }

  /** Starts the prediction worker and its runtime, so that the next live window need not wait. @throws TorusError */
  async warm(): Promise<void> {
    await this.#enqueue({ kind: "load" }, { lane: "live", signal: new AbortController().signal });
  }

  #enqueue(
    task: PendingTask["task"],
    { lane: name, signal, onProgress, transfer = [] }: ComputeOptions,
  ): Promise<TaskResult | undefined> {
    const { workers, priority } = queueOfLane[name];
    const lane = this.#lanes[workers];
    const queue = lane.queues[priority]!;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(canceled());
      const withdraw = () => withdrawFrom(queue, pending);
      // A long-lived signal would otherwise retain all its tasks.
      const removeListener = () => signal.removeEventListener("abort", withdraw);
      const pending: PendingTask = {
        task,
        transfer,
        onProgress: (progress: TaskProgress) => onProgress?.(progress),
        resolve: (result) => {
          removeListener();
          resolve(result);
        },
        reject: (error) => {
          removeListener();
          reject(error);
        },
        signal,
      };
      queue.push(pending);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#serve(lane);
    });
  }

  /** Ends all workers; running tasks are rejected. */
  async stop(): Promise<void> {
    const lanes = Object.values(this.#lanes);
    const queued = lanes.flatMap(({ queues }) => queues.flatMap((queue) => queue.splice(0)));
    for (const pending of queued) pending.reject(canceled());
    await Promise.all(lanes.flatMap((lane) => lane.slots.map((slot) => slot.stop())));
  }

  #serve(lane: PoolLane): void {
    // Started workers are preferred: another one costs memory.
    const free = lane.slots
      .filter((slot) => slot.isFree)
      .sort((a, b) => Number(b.isStarted) - Number(a.isStarted));
    for (const slot of free) {
      const next = lane.queues.find((queue) => queue.length > 0)?.shift();
      if (!next) return;
      void slot.perform(next).then(() => this.#serve(lane));
    }
  }
}

function withdrawFrom(queue: PendingTask[], pending: PendingTask): void {
  const index = queue.indexOf(pending);
  if (index < 0) return;
  queue.splice(index, 1);
  pending.reject(canceled());
}

function canceled(): TorusError {
  return new TorusError("canceled", "the task was canceled");
}

/** The compute pool with a fixed lane: `training` for backtests, so that predictions do not wait; `live` for live windows. */
export function onLane(compute: Compute, lane: ComputeOptions["lane"]): Compute {
  return {
    trainingLanes: compute.trainingLanes,
    run: (task, options) => compute.run(task, { ...options, lane }),
  };
}
