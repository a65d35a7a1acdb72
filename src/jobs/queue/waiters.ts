// Callers waiting for jobs; each wait ends with the job, a deadline, a disconnect or a stop of the server.
import type { Clock } from "../../runtime/clock.ts";

type WaitEnd = "ended" | "deadline" | "disconnected" | "stopping";

export interface WaitLimits {
  /** Largest wait, ms. */
  readonly deadlineMs: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

type Callback = (end: WaitEnd) => void;

export class Waiters {
  readonly #byJob = new Map<string, Set<Callback>>();

  constructor(private readonly clock: Clock) {}

  /** Resolves with the first of: job ended, deadline, caller disconnected, server stopping. */
  wait(id: string, { deadlineMs, signal }: WaitLimits): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const finish: Callback = (end) => {
        this.#remove(id, finish);
        clearTimer();
        signal.removeEventListener("abort", onAbort);
        resolve(end);
      };
      const onAbort = () => finish("disconnected");
      const clearTimer = this.clock.setTimer(() => finish("deadline"), deadlineMs);
      signal.addEventListener("abort", onAbort);
      this.#byJob.set(id, (this.#byJob.get(id) ?? new Set()).add(finish));
      if (signal.aborted) onAbort();
    });
  }

  /** The jobs that are waited for. */
  get ids(): readonly string[] {
    return [...this.#byJob.keys()];
  }

  /** Resolves all waits for this job: it has ended. */
  resolve(id: string): void {
    for (const finish of [...(this.#byJob.get(id) ?? [])]) finish("ended");
  }

  /** Resolves all waits. */
  resolveAll(end: WaitEnd): void {
    for (const callbacks of [...this.#byJob.values()]) for (const finish of [...callbacks]) finish(end);
  }

  #remove(id: string, callback: Callback): void {
    const callbacks = this.#byJob.get(id);
    callbacks?.delete(callback);
    if (callbacks?.size === 0) this.#byJob.delete(id);
  }
}
