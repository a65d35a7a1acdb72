// Error, band and anomalies of a version over a range.
import { expect, test } from "bun:test";
import { qualityOf, thin } from "../../../src/ui/lib/version-quality.ts";

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

test("a column is thinned by means of groups; a group without a value is a gap", () => {
  expect(thin([1, 3, null, null, 5], 3)).toEqual([2, null, 5]);
  expect(thin([1, 2], 5)).toEqual([1, 2]);
});
