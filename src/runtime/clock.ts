// Clock interface: the current time and timers as a dependency that tests replace.
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`. @returns a function that cancels the timer */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** Longer delays overflow 32 bits and would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
