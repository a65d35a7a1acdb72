// The present and its timers, as a parameter.
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`. @returns a function that takes the timer back */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** Longer delays overflow the runtime's 32 bits and would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
