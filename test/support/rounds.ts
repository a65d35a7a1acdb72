// Rounds of random tests: a fifth of them at a commit, all of them with `TEST_RANDOM=all` (`npm run test:random`).

const SHARE = process.env.TEST_RANDOM === "all" ? 1 : 0.2;

/** @param all of the whole test; at least 10 are made */
export function roundsOf(all: number): number {
  return Math.max(Math.min(10, all), Math.round(all * SHARE));
}
