// Waits and deadlines: a sleep that an abort ends, and limits for work that ignores its signal.
import { type Clock, systemClock } from "./clock.ts";

type TimerClock = Pick<Clock, "setTimer">;

/** Work took longer than its limit. */
export class DeadlineError extends Error {
  override readonly name = "TimeoutError";
}

/** Resolves after `ms`, or as soon as the signal aborts. @returns false where it was aborted */
export function sleep(ms: number, signal?: AbortSignal, clock: TimerClock = systemClock): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimer();
      signal?.removeEventListener("abort", end);
      resolve(!signal?.aborted);
    };
    const clearTimer = clock.setTimer(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

/** Waits for work, at most `ms`. @throws the error of the work */
export async function waitAtMost(
  ms: number,
  work: Promise<unknown>,
  clock: TimerClock = systemClock,
): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, sleep(ms, ended.signal, clock)]).finally(() => ended.abort());
}

interface DeadlineOptions {
  /** Ends the work before its time. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: TimerClock;
}

/** A time limit of `ms`; `end` releases its timer. */
export function startDeadline(ms: number, { signal, clock = systemClock }: DeadlineOptions = {}) {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  reached.catch(() => {});
  const stop = (reason: unknown) => {
    // Before the abort, whose own error must not win a race against it.
    reject(reason);
    controller.abort(reason);
  };
  const start = () => clock.setTimer(() => stop(new DeadlineError(`not within ${ms / 1000} s`)), ms);
  const onAbort = () => stop(signal!.reason);
  let clearTimer = start();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    /** Aborts at the limit, and with `signal`. */
    signal: controller.signal,
    /** Rejects with a `DeadlineError` at the limit, or with the reason of `signal`. */
    reached,
    restart() {
      clearTimer();
      clearTimer = start();
    },
    end() {
      clearTimer();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Runs work up to a time limit. The race is necessary: while a connection is pending, fetch ignores its signal.
 * @param work is not called where `signal` is aborted already; its own signal aborts at the limit, and with `signal`
 * @throws DeadlineError, the reason of `signal`, or the error of the work
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: DeadlineOptions = {},
): Promise<T> {
  options.signal?.throwIfAborted();
  const deadline = startDeadline(ms, options);
  try {
    return await Promise.race([work(deadline.signal), deadline.reached]);
  } finally {
    deadline.end();
  }
}
