// Time-based pacing: readers yield to the event loop every 10 ms, writers adapt the size of their batches.
import { throwIfAborted } from "../core/errors.ts";
import { yieldToEventLoop } from "./steps.ts";

/** Longest time a computation holds the event loop. */
const MAX_STEP_MS = 10;

/**
 * A function to call between steps of a long computation. It throws if the signal is aborted.
 * @returns from each call a promise to await once the step has lasted 10 ms, undefined before
 */
export function createYielder(signal: AbortSignal): () => Promise<void> | undefined {
  let stepEndsAt = performance.now() + MAX_STEP_MS;
  return () => {
    throwIfAborted(signal);
    if (performance.now() < stepEndsAt) return undefined;
    return yieldToEventLoop(signal).then(() => {
      stepEndsAt = performance.now() + MAX_STEP_MS;
    });
  };
}

/** Bounds of a batch of a write, in values. */
const [MIN_VALUES, MAX_VALUES] = [250, 10_000];
const MAX_CHARACTERS = 512 * 1024;
/** Target duration of a batch: long enough to pay for its transaction. */
const BATCH_MS = 20;

/** Adapts the batch size of a write to its speed: new series and fields cost much more than known ones. */
export function createSizer() {
  let values = 1000;
  let startedAt = performance.now();
  return {
    /** Size of the batch that begins now. */
    next: () => {
      startedAt = performance.now();
      return { values, characters: MAX_CHARACTERS };
    },
    /** Adapts the size to the time the batch took. */
    note: () => {
      const ms = performance.now() - startedAt;
      if (ms > BATCH_MS) values = Math.max(MIN_VALUES, Math.floor(values / 2));
      else if (ms < BATCH_MS / 2) values = Math.min(MAX_VALUES, values * 2);
    },
  };
}
