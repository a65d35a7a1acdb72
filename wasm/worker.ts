// Worker entry point: runs one task at a time; cancellation by shared flag.
import { Canceled, type Control, createControl } from "./control.ts";
import { scoreBatch } from "./donut/batch.ts";
import { forecast } from "./donut/forecast.ts";
import { score } from "./donut/score.ts";
import { train } from "./donut/train.ts";
import { loadRuntime } from "./ort.ts";
import type { Task, TaskMessage, TaskResult, WorkerMessage } from "./protocol.ts";
import { SessionCache } from "./sessions.ts";

declare const self: Worker;

const sessions = new SessionCache();
// Runs must not overlap within a thread, so tasks are queued.
let queue: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<TaskMessage>) => {
  queue = queue.then(() => handle(data));
};
send({ type: "ready" });

async function handle({ id, task, cancel, runtime }: TaskMessage): Promise<void> {
  const control = createControl({
    flag: new Int32Array(cancel),
    send: (progress) => send({ type: "progress", id, progress }),
    now: () => performance.now(),
  });
  try {
    await load(runtime);
    const result = task.kind === "load" ? undefined : await perform(task, control);
    send({ type: "done", id, result });
  } catch (error) {
    if (error instanceof Canceled) send({ type: "canceled", id });
    else send({ type: "failed", id, message: error instanceof Error ? error.message : String(error) });
  }
}

let isLoaded = false;

/** Loads the runtime before the first task; other workers get what this one has compiled. */
async function load(compiled: WebAssembly.Module | undefined): Promise<void> {
  if (isLoaded) return;
  const runtime = await loadRuntime(compiled);
  isLoaded = true;
  if (runtime !== compiled) send({ type: "compiled", runtime });
}

function perform(task: Task, control: Control): Promise<TaskResult> {
  if (task.kind === "train") return train(task, sessions, control);
  if (task.kind === "score") return score(task, sessions, control);
  if (task.kind === "batch") return scoreBatch(task, sessions, control);
  return forecast(task, sessions, control);
}

function send(message: WorkerMessage): void {
  self.postMessage(message);
}
