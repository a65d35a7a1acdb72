// Exponential backoff with jitter, from 1 s to 5 min; pure: randomness is a parameter.

const FIRST_MS = 2000;
const MAX_MS = 300_000;

/**
 * Delay before the next attempt: a random value between half and all of a span that doubles with every attempt, so that
 * clients that failed together do not retry together.
 * @param attempts failed so far, at least 1
 * @param chance random number from 0 to 1
 * @returns ms, from 1 s to 5 min
 */
export function backoffMs(attempts: number, chance: number): number {
  // The exponent is capped, so that many attempts do not overflow.
  const span = Math.min(FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 8), MAX_MS);
  return Math.round(span / 2 + (span / 2) * chance);
}
