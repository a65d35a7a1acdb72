// The pool of compute workers: started when first needed, replaced when they die, ended when idle; live windows go first.
import type { TaskProgress, Tasks } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import type { Compute, ComputeOptions } from "../../models/kind.ts";
import { type PendingTask, type SlotDeps, WorkerSlot } from "./worker-slot.ts";

export interface PoolDeps extends Omit<SlotDeps, "isKept"> {
  /** Workers for trainings; one more is for live windows and predictions. */
  readonly trainingWorkers: number;
  /** Whether the prediction worker outlives its idle time: while models are live. Default: never. */
  readonly keepsPrediction?: () => boolean;
}

interface Waiting {
  readonly lease: PendingTask;
}

/** Workers that share their queues: the first queue that holds a task is served. */
interface PoolLane {
  readonly slots: readonly WorkerSlot[];
  readonly queues: readonly Waiting[][];
}

/** Where tasks of a lane wait. Live windows share the prediction worker, whose tasks are short, and are served first. */
const places = {
  training: { workers: "training", priority: 0 },
  live: { workers: "prediction", priority: 0 },
  prediction: { workers: "prediction", priority: 1 },
} as const satisfies Record<ComputeOptions["lane"], unknown>;

/** The one place that knows where the worker's program is; it must work from source and inside the binary. */
export function spawnWorker(): Worker {
  // Inside the binary every module has the address of the whole; entry points are found from its root.
  const isCompiled = import.meta.url.includes("$bunfs") || import.meta.url.includes("~BUN");
  return new Worker(
    isCompiled ? "./wasm/worker.ts" : new URL("../../../wasm/worker.ts", import.meta.url).href,
  );
}

/** Runs tasks in workers: one task per worker at a time, in order of arrival within a lane. */
export class Pool implements Compute {
  readonly #lanes: Readonly<Record<"training" | "prediction", PoolLane>>;

  constructor({ trainingWorkers, keepsPrediction = () => false, ...deps }: PoolDeps) {
    const makeSlots = (size: number, isKept: () => boolean) =>
      Array.from({ length: size }, () => new WorkerSlot({ ...deps, isKept }));
    this.#lanes = {
      training: { slots: makeSlots(trainingWorkers, () => false), queues: [[]] },
      prediction: { slots: makeSlots(1, keepsPrediction), queues: [[], []] },
    };
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
    { lane: name, signal, onProgress, transfer: handOver = [] }: ComputeOptions,
  ): Promise<Tasks[K]["result"]> {
    const { workers, priority } = places[name];
    const lane = this.#lanes[workers];
    const queue = lane.queues[priority]!;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(canceled());
      const withdraw = () => withdrawFrom(queue, waiting);
      // A signal may outlive thousands of tasks, and would keep all that they hold.
      const leave = () => signal.removeEventListener("abort", withdraw);
      const lease: PendingTask = {
        task,
        transfer: handOver,
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
      queue.push(waiting);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#serve(lane);
    });
  }

  /** Ends all workers; running tasks are rejected. */
  async stop(): Promise<void> {
    const lanes = Object.values(this.#lanes);
    const waiting = lanes.flatMap(({ queues }) => queues.flatMap((queue) => queue.splice(0)));
    for (const { lease } of waiting) lease.reject(canceled());
    await Promise.all(lanes.flatMap((lane) => lane.slots.map((slot) => slot.stop())));
  }

  #serve(lane: PoolLane): void {
    // A worker that has started is preferred: another one costs some 80 MB.
    const free = lane.slots
      .filter((slot) => slot.isFree)
      .sort((a, b) => Number(b.isStarted) - Number(a.isStarted));
    for (const slot of free) {
      const next = lane.queues.find((queue) => queue.length > 0)?.shift();
      if (!next) return;
      void slot.perform(next.lease).then(() => this.#serve(lane));
    }
  }
}

function withdrawFrom(queue: Waiting[], waiting: Waiting): void {
  const index = queue.indexOf(waiting);
  if (index < 0) return;
  queue.splice(index, 1);
  waiting.lease.reject(canceled());
}

function canceled(): TorusError {
  return new TorusError("canceled", "the task was canceled");
}

/** Look backs take the lane `training`, so as not to hold up predictions; live windows take the lane `live`. */
export function onLane(compute: Compute, lane: ComputeOptions["lane"]): Compute {
  return {
    trainingLanes: compute.trainingLanes,
    run: (task, options) => compute.run(task, { ...options, lane }),
  };
}
