// Tail probabilities against distributions whose tails are known.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  drawTail,
  fitTail,
  scaleTail,
  tailProbability,
  tailQuantile,
} from "../../../src/models/stats/tail.ts";

/** Evenly spread quantiles of a distribution: a sample without luck. */
const sampleOf = (quantile: (p: number) => number, n = 5000) =>
  Float64Array.from({ length: n }, (_, i) => quantile((i + 0.5) / n));

const exponential = sampleOf((p) => -Math.log(1 - p));
const pareto = sampleOf((p) => (1 - p) ** -0.3);

test.each([0.5, 0.1, 0.03])("bulk of an exponential at p = %p", (p) => {
  expect(tailProbability(fitTail(exponential), -Math.log(p))).toBeCloseTo(p, 1.5);
});

test.each([1e-2, 1e-3, 1e-4, 1e-6])("tail of an exponential, extrapolated to p = %p", (p) => {
  const ratio = tailProbability(fitTail(exponential), -Math.log(p)) / p;
  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(3);
});

test("a heavy tail is seen as heavy", () => {
  const ratio = tailProbability(fitTail(pareto), 1e-5 ** -0.3) / 1e-5;
  expect(ratio).toBeGreaterThan(0.2);
  expect(ratio).toBeLessThan(5);
  expect(fitTail(pareto).shape).toBeGreaterThan(0.15);
});

test("points that cannot be odd count in the share, not in the tail", () => {
  const half = fitTail(exponential, exponential.length * 2);
  expect(half.share).toBeCloseTo(fitTail(exponential).share / 2, 6);
});

const oddities: readonly [string, number[]][] = [
  ["one point", [3]],
  ["two points", [1, 2]],
  ["a constant sample", new Array(500).fill(7)],
  ["a constant sample with one outlier", [...new Array(500).fill(7), 1e9]],
];

for (const [name, sample] of oddities) {
  test(`${name}: probabilities are still probabilities, and far out is rare`, () => {
    const tail = fitTail(Float64Array.from(sample));
    for (const value of [-1e6, 0, 7, 7.1, 1e3, 1e12]) {
      const p = tailProbability(tail, value);
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1);
    }
    expect(JSON.parse(JSON.stringify(tail))).toEqual(tail);
  });
}

test("the odder, the less probable", () => {
  const numbers = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 300 });
  const pair = fc.tuple(
    fc.double({ min: -2e3, max: 2e3, noNaN: true }),
    fc.double({ min: 0, max: 1e3, noNaN: true }),
  );
  fc.assert(
    fc.property(numbers, pair, (sample, [x, more]) => {
      const tail = fitTail(Float64Array.from(sample));
      return tailProbability(tail, x + more) <= tailProbability(tail, x);
    }),
  );
});

test.each([1e-3, 1e-4, 1e-6])("the quantile is the inverse of the probability at p = %p", (p) => {
  for (const sample of [exponential, pareto]) {
    const tail = fitTail(sample);
    expect(Math.log10(tailProbability(tail, tailQuantile(tail, p)))).toBeCloseTo(Math.log10(p), 6);
  }
});

test("a sample drawn of a tail has that tail again", () => {
  const drawn = fitTail(drawTail(fitTail(exponential), 1000));
  for (const p of [0.5, 0.1, 0.01, 0.002])
    expect(tailProbability(drawn, -Math.log(p)) / p).toBeWithin(0.8, 1.25);
});

test("a scaled tail is that of the scaled statistic", () => {
  const tail = scaleTail(fitTail(exponential), 10);
  for (const statistic of [0.5, 3, 8])
    expect(tailProbability(tail, 10 * statistic)).toBeCloseTo(
      tailProbability(fitTail(exponential), statistic),
      12,
    );
});
