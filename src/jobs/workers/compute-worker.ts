// A compute worker: started, heard when it is ready, and heard when it dies.
import type { WorkerMessage } from "../../../wasm/protocol.ts";

export interface ComputeWorker {
  readonly handle: Worker;
  /** False where it died before it was ready; never rejects. */
  readonly ready: Promise<boolean>;
}

/** What a worker says about a task. */
export type TaskMessage = Exclude<WorkerMessage, { type: "ready" }>;

export interface WorkerListener {
  readonly onMessage: (message: TaskMessage) => void;
  /** May be called more than once. */
  readonly onDeath: (handle: Worker, reason: string) => void;
}

/** Listens to a worker that was just spawned. */
export function attachWorker(handle: Worker, { onMessage, onDeath }: WorkerListener): ComputeWorker {
  const { promise: ready, resolve: tell } = Promise.withResolvers<boolean>();
  handle.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "ready") tell(true);
    else onMessage(data);
  });
  handle.addEventListener("error", (event: ErrorEvent) => {
    event.preventDefault();
    onDeath(handle, event.message);
    tell(false);
  });
  // Also with code 0: a worker that dies of an unhandled rejection closes as if all were well.
  handle.addEventListener("close", () => {
    onDeath(handle, "it closed");
    tell(false);
  });
  return { handle, ready };
}
