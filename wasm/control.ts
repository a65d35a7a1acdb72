// Control channel of a running task: cancellation by a shared flag, and throttled progress reports.
import type { TaskProgress } from "./protocol.ts";

/** Least time between two reports; shorter tasks report none. */
const REPORT_INTERVAL_MS = 100;

export interface Control {
  isCanceled(): boolean;
  report(progress: TaskProgress): void;
}

/** Thrown by a task that its control has canceled. */
export class Canceled extends Error {}

interface ControlChannel {
  /** Not 0 once the task is canceled; written by the server thread. */
  readonly flag: Int32Array;
  readonly send: (progress: TaskProgress) => void;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

/** The control of a task that starts now. */
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
