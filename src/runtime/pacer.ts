// Pacer: calls at most once per interval with the newest value; values in between are replaced.
import type { Clock } from "./clock.ts";

interface PacerDeps<T> {
  readonly clock: Clock;
  /** Least time between two calls, ms. */
  readonly intervalMs: number;
  readonly call: (value: T) => void;
}

export class Pacer<T> {
  #calledAt = Number.NEGATIVE_INFINITY;
  #next: { readonly value: T } | undefined;
  #clearTimer: (() => void) | undefined;

  constructor(private readonly deps: PacerDeps<T>) {}

  /** Calls now, or with the last value given until the interval has passed. */
  give(value: T): void {
    this.#next = { value };
    const { clock, intervalMs } = this.deps;
    // At most the interval, should the clock be set back.
    const waitMs = Math.min(intervalMs, this.#calledAt + intervalMs - clock.now());
    if (waitMs <= 0) this.#call();
    else this.#clearTimer ??= clock.setTimer(() => this.#call(), waitMs);
  }

  /** Drops the value that waits. */
  stop(): void {
    this.#clearTimer?.();
    this.#clearTimer = undefined;
    this.#next = undefined;
  }

  #call(): void {
    const { clock, call } = this.deps;
    const next = this.#next;
    this.stop();
    this.#calledAt = clock.now();
    if (next) call(next.value);
  }
}
