// How long to wait after a failed attempt: from 1 s to 5 min, doubling, with jitter. Pure: chance is a parameter.

const FIRST_MS = 2000;
const LONGEST_MS = 300_000;

/**
 * Between half of a span that doubles with every attempt and the whole of it, so that many who failed together do not
 * come back together.
 * @param attempts failed so far, at least 1
 * @param chance from 0 to 1
 * @returns ms, from 1 s to 5 min
 */
export function backoffMs(attempts: number, chance: number): number {
  // 2^8 steps are beyond the longest already; more would only overflow.
  const span = Math.min(FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 8), LONGEST_MS);
  return Math.round(span / 2 + (span / 2) * chance);
}
