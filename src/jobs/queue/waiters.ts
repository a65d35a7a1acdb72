// Callers that wait for a job to end, and the four things that end their waiting.
import type { Clock } from "../../runtime/clock.ts";

export type WaitEnd = "ended" | "deadline" | "gone" | "stopping";

export interface WaitLimits {
  /** Longest wait, ms. */
  readonly deadlineMs: number;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

type Callback = (end: WaitEnd) => void;

export class Waiters {
  readonly #byJob = new Map<string, Set<Callback>>();

  constructor(private readonly clock: Clock) {}

  /** Resolves at the first of: job ended, deadline, caller gone, server stopping. Leaves nothing behind. */
  wait(id: string, { deadlineMs, signal }: WaitLimits): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const finish: Callback = (end) => {
        this.#forget(id, finish);
        clearTimer();
        signal.removeEventListener("abort", leave);
        resolve(end);
      };
      const leave = () => finish("gone");
      const clearTimer = this.clock.setTimer(() => finish("deadline"), deadlineMs);
      signal.addEventListener("abort", leave);
      this.#byJob.set(id, (this.#byJob.get(id) ?? new Set()).add(finish));
      if (signal.aborted) leave();
    });
  }

  /** Tells everyone who waits for this job that it has ended. */
  tell(id: string): void {
    for (const finish of [...(this.#byJob.get(id) ?? [])]) finish("ended");
  }

  /** Sends everyone home. */
  tellAll(end: WaitEnd): void {
    for (const callbacks of [...this.#byJob.values()]) for (const finish of [...callbacks]) finish(end);
  }

  #forget(id: string, callback: Callback): void {
    const callbacks = this.#byJob.get(id);
    callbacks?.delete(callback);
    if (callbacks?.size === 0) this.#byJob.delete(id);
  }
}
