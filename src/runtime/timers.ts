// A set of timers that can be cancelled together.
import type { Clock } from "./clock.ts";

export class Timers {
  readonly #clears = new Set<() => void>();

  constructor(private readonly clock: Pick<Clock, "setTimer">) {}

  /** Calls back once after `delayMs`. @returns a function that cancels the timer */
  set(delayMs: number, callback: () => void): () => void {
    const clearTimer = this.clock.setTimer(() => {
      this.#clears.delete(clearTimer);
      callback();
    }, delayMs);
    this.#clears.add(clearTimer);
    return () => {
      clearTimer();
      this.#clears.delete(clearTimer);
    };
  }

  /** Resolves after `delayMs`, or at once when all timers are cancelled, so that no waiter hangs. */
  wait(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const clearTimer = this.set(delayMs, resolve);
    this.#clears.add(resolve);
    return promise.finally(() => {
      clearTimer();
      this.#clears.delete(resolve);
    });
  }

  /** Cancels all timers. */
  clear(): void {
    for (const clear of this.#clears) clear();
    this.#clears.clear();
  }
}
