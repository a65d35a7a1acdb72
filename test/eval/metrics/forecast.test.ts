// MASE, its scale and the coverage of bands, by hand.
import { expect, test } from "bun:test";
import { coverage, mase, seasonalScale } from "./forecast.ts";

test.each([
  // |3-1|, |5-2|, |1-3| = 2, 3, 2.
  { values: [1, 2, 3, 5, 1], season: 2, scale: 7 / 3 },
  { values: [1, Number.NaN, 4, 5], season: 2, scale: 3 },
  { values: [7, 7, 7, 7], season: 2, scale: undefined },
  { values: [1, 2], season: 2, scale: undefined },
])("scale of $values over a season of $season is $scale", ({ values, season, scale }) => {
  expect(seasonalScale(values, season)).toBe(scale as number);
});

test("errors of all forecasts in units of the scale; what did not come is left out", () => {
  const forecasts = [
    { predicted: [1, 2, 3], observed: [2, 2, Number.NaN] },
    { predicted: [10], observed: [4] },
  ];
  // |1-2|, |2-2|, |10-4| = 1, 0, 6: mean 7/3, in units of 2.
  expect(mase(forecasts, 2)).toBeCloseTo(7 / 6, 12);
  expect(mase([{ predicted: [1], observed: [Number.NaN] }], 1)).toBeUndefined();
});

test("repeating the day before has MASE 1 where days change as before", () => {
  const values = Float64Array.from({ length: 40 }, (_, i) => (i % 8) + 3 * (i % 16 < 8 ? 1 : 0));
  const predicted = values.subarray(24, 32);
  expect(mase([{ predicted, observed: values.subarray(32, 40) }], seasonalScale(values, 8)!)).toBeCloseTo(
    1,
    12,
  );
});

test("share of what came within its band, edges included", () => {
  const band = { lower: [0, 0, 0, 0], upper: [2, 2, 2, 2], observed: [0, 3, 2, Number.NaN] };
  expect(coverage([band])).toBeCloseTo(2 / 3, 12);
  expect(coverage([{ lower: [0], upper: [1], observed: [Number.NaN] }])).toBeUndefined();
});
