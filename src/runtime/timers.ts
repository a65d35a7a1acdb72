// Timers that are taken back all at once.
import type { Clock } from "./clock.ts";

export class Timers {
  readonly #clears = new Set<() => void>();

  constructor(private readonly clock: Pick<Clock, "setTimer">) {}

  /** Calls back once after `delayMs`. @returns a function that takes the timer back */
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

  /** Resolves after `delayMs`, or when all timers are taken back: whoever waits must still wake up. */
  wait(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const clearTimer = this.set(delayMs, resolve);
    this.#clears.add(resolve);
    return promise.finally(() => {
      clearTimer();
      this.#clears.delete(resolve);
    });
  }

  /** Takes all timers back. */
  clear(): void {
    for (const clear of this.#clears) clear();
    this.#clears.clear();
  }
}
