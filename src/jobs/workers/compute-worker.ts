// Events of a compute worker: ready, messages, death.
import type { WorkerMessage } from "../../../wasm/protocol.ts";

export interface ComputeWorker {
  readonly handle: Worker;
  /** Resolves with false if it died before it was ready; never rejects. */
  readonly ready: Promise<boolean>;
}

/** Message of a worker about a task. */
export type TaskMessage = Exclude<WorkerMessage, { type: "ready" | "compiled" }>;

interface WorkerListener {
  readonly onMessage: (message: TaskMessage) => void;
  readonly onCompiled: (runtime: WebAssembly.Module) => void;
  /** May be called more than once. */
  readonly onDeath: (handle: Worker, reason: string) => void;
}

/** Attaches listeners to a worker that was just spawned. */
export function attachWorker(
  handle: Worker,
  { onMessage, onCompiled, onDeath }: WorkerListener,
): ComputeWorker {
  const { promise: ready, resolve: setReady } = Promise.withResolvers<boolean>();
  handle.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "ready") setReady(true);
    else if (data.type === "compiled") onCompiled(data.runtime);
    else onMessage(data);
  });
  handle.addEventListener("error", (event: ErrorEvent) => {
    event.preventDefault();
    onDeath(handle, event.message);
    setReady(false);
  });
  // A worker that dies of an unhandled rejection closes with code 0.
  handle.addEventListener("close", () => {
    onDeath(handle, "it closed");
    setReady(false);
  });
  return { handle, ready };
}
