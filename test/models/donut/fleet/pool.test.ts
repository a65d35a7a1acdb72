// Pooled tails: every series counts the same, whatever its scale and length.
import { expect, test } from "bun:test";
import { poolTails, priorOf } from "../../../../src/models/donut/fleet/pool.ts";
import { fitTail, tailProbability } from "../../../../src/models/stats/tail.ts";
import { createRandom } from "../../../../wasm/random.ts";

const random = createRandom(4);
const sampleOf = (points: number, factor: number) =>
  Float64Array.from({ length: points }, () => factor * Math.abs(random.normal()));

test("the tail of equal series is that of each", () => {
  const pooled = poolTails([fitTail(sampleOf(3000, 1)), fitTail(sampleOf(3000, 1))]);
  // Two-sided probabilities of the normal distribution.
  expect(tailProbability(pooled, 1)).toBeCloseTo(0.317, 1);
  expect(tailProbability(pooled, 3)).toBeWithin(0.0027 / 3, 0.0027 * 3);
});

test("a long series counts no more than a short one", () => {
  const pooled = poolTails([fitTail(sampleOf(100, 10)), fitTail(sampleOf(10_000, 1))]);
  // Half of the points of the first lie beyond 6.7; hardly one of the second does.
  expect(tailProbability(pooled, 6.7)).toBeCloseTo(0.25, 1);
});

test("without pooled tails there is no prior", () => {
  expect(priorOf({ tail: fitTail(sampleOf(100, 1)) })).toBeUndefined();
});
