// Medians: by hand, and against the plain definition.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { medianOf, WeightedSample } from "../../../src/models/stats/median.ts";

test.each([
  [[], Number.NaN],
  [[Number.NaN], Number.NaN],
  [[3], 3],
  [[4, 1], 2.5],
  [[9, Number.NaN, 1, 5], 5],
  [[2, Number.POSITIVE_INFINITY, 4], 3],
] as const)("the median of %p is %p", (values, median) => {
  expect(medianOf(values)).toBe(median);
});

function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const sample = new WeightedSample(values.length);
  for (const [i, value] of values.entries()) sample.add(value, weights[i]!);
  return sample.median();
}

test.each([
  ["nothing", [], [], Number.NaN],
  ["missing values alone", [Number.NaN], [5], Number.NaN],
  ["a heavy value", [1, 2, 9], [1, 1, 3], 9],
  ["exactly half below: between the two", [4, 8], [1, 1], 6],
  ["a light outlier", [5, 6, 1000], [1, 1, 0.5], 6],
  ["a missing value counts nothing", [Number.NaN, 3], [10, 1], 3],
] as const)("weighted: %s", (_, values, weights, median) => {
  expect(weightedMedian(values, weights)).toBe(median);
});

test("with equal weights it is the plain median, and a buffer can be used again", () => {
  const sample = new WeightedSample(600);
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 600 });
  fc.assert(
    fc.property(values, (list) => {
      sample.clear();
      for (const value of list) sample.add(value, 0.25);
      expect(sample.median()).toBe(medianOf(list));
    }),
  );
});
