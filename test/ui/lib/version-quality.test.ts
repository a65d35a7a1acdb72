// Error, band and anomalies of a version over a range.
import { expect, test } from "bun:test";
import { betterOf, qualityOf, shareWithin, thin } from "../../../src/ui/lib/version-quality.ts";

const rules = { max: 50, min: 25, minDuration: 1, gracePeriodMs: 0 };

test("gaps of either side are left out; anomalies follow the rules", () => {
  const series = {
    from: 0,
    step: 60,
    observed: { load: [10, null, 14, 30, 9] },
    expected: {
      load: {
        mean: [10, 10, 10, 10, null],
        lower: [8, 8, 8, 8, null],
        upper: [12, 12, 12, 12, null],
      },
    },
    score: [0, null, 80, 10, null],
  };
  const { features, anomalies } = qualityOf(series, rules);
  expect(anomalies).toBe(1);
  expect(features).toEqual([{ name: "load", error: 8, width: 4, outside: 2 / 3 }]);
});

test("without a common value there is no error", () => {
  const columns = { mean: [null], lower: [null], upper: [null] };
  const series = { from: 0, step: 60, observed: { a: [1] }, expected: { a: columns }, score: [null] };
  expect(qualityOf(series, rules)).toEqual({
    features: [{ name: "a", error: Number.NaN, width: Number.NaN, outside: Number.NaN }],
    anomalies: 0,
  });
});

test("a band that is wide for a while does not count for the whole range", () => {
  const columns = { mean: [1, 1, 1], lower: [0, 0, -1e6], upper: [2, 2, 1e6] };
  const series = {
    from: 0,
    step: 60,
    observed: { a: [1, 1, 1] },
    expected: { a: columns },
    score: [0, 0, 0],
  };
  expect(qualityOf(series, rules).features[0]!.width).toBe(2);
});

test("a column is thinned by means of groups; a group without a value is a gap", () => {
  expect(thin([1, 3, null, null, 5], 3)).toEqual([2, null, 5]);
  expect(thin([1, 2], 5)).toEqual([1, 2]);
});

test("the smaller of two values is better, unless they differ by less than 2 % or one is not known", () => {
  expect(betterOf([0.745, 0.937])).toBe(0);
  expect(betterOf([-0.1, -0.4])).toBe(1);
  expect(betterOf([1.28, 1.29])).toBeUndefined();
  expect(betterOf([0, 0])).toBeUndefined();
  expect(betterOf([undefined, 1])).toBeUndefined();
  expect(betterOf([Number.NaN, 1])).toBeUndefined();
});

test("the share of a series that a training saw", () => {
  const series = { from: 100, step: 10, observed: {}, expected: {}, score: Array(10).fill(0) };
  expect(shareWithin({ from: 0, to: 150 }, series)).toBe(0.5);
  expect(shareWithin({ from: 0, to: 400 }, series)).toBe(1);
  expect(shareWithin({ from: 250, to: 400 }, series)).toBe(0);
});
