// Medians: by hand, and against the plain definition.
import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { medianOf, medianOfSorted, WeightedSample } from "../../../src/models/stats/median.ts";

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

/** Orders that partitions are slow for: each pass but the last ones would move a single value. */
const orders = {
  rising: (i: number) => i,
  falling: (i: number) => -i,
  "a pipe organ": (i: number) => Math.min(i, 2000 - i),
  "a sawtooth": (i: number) => i % 7,
  equal: () => 5,
};

test.each(Object.entries(orders))("the median of many values is that of their order: %s", (_, valueAt) => {
  for (const length of [999, 1000, 2001]) {
    const values = Float64Array.from({ length }, (_, i) => valueAt(i));
    expect(medianOf(values)).toBe(medianOfSorted(values.toSorted()));
  }
});

test("the median of any values is that of their order, and leaves them as they are", () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(values, (list) => {
      const before = [...list];
      expect(medianOf(list) === medianOfSorted(Float64Array.from(list).sort())).toBe(true);
      expect(list).toEqual(before);
    }),
  );
});

test("values in an order made against the passes are sorted in the end", () => {
  // The value in the middle is the least one that is left, in each of the passes.
  const length = 4001;
  const middle = length >> 1;
  const order = Array.from({ length }, (_, i) => i);
  const values = new Float64Array(length);
  for (let rank = 0; rank < middle; rank++) {
    values[order[middle]!] = rank;
    [order[rank], order[middle]] = [order[middle]!, order[rank]!];
  }
  for (let rank = middle; rank < length; rank++) values[order[rank]!] = rank;
  const sorted = spyOn(Float64Array.prototype, "sort");
  try {
    expect(medianOf(values)).toBe(middle);
    expect(sorted).toHaveBeenCalledTimes(1);
  } finally {
    sorted.mockRestore();
  }
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
