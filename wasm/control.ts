// What a task hears and says while it runs: whether it is canceled, and how far it is.
import type { TaskProgress } from "./protocol.ts";

/** Progress is for people: more often than this nobody looks, and a task that is done sooner says nothing but that. */
const REPORT_INTERVAL_MS = 100;

export interface Control {
  isCanceled(): boolean;
  report(progress: TaskProgress): void;
}

export class Canceled extends Error {}

export interface ControlChannel {
  /** Not 0 once the task is canceled; written by another thread. */
  readonly flag: Int32Array;
  readonly send: (progress: TaskProgress) => void;
  /** ms since anything. */
  readonly now: () => number;
}

/** The control of a task that begins now. */
export function createControl({ flag, send, now }: ControlChannel): Control {
  let reportedAt = now();
  return {
    isCanceled: () => Atomics.load(flag, 0) !== 0,
    report: (progress) => {
      const at = now();
      if (at - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = at;
      send(progress);
    },
  };
}
