// Model input: defaults, standardisation and masks.
import { expect, test } from "bun:test";
import { fillDefault, measure, standardise } from "../../src/models/series.ts";

const NAN = Number.NaN;
const column = Float64Array.of(NAN, 2, NAN, NAN, 4, NAN);

test.each([
  ["nothing", undefined, [NAN, 2, NAN, NAN, 4, NAN]],
  ["null", null, [NAN, 2, NAN, NAN, 4, NAN]],
  ["zero", 0, [0, 2, 0, 0, 4, 0]],
  ["the previous value", "previous" as const, [NAN, 2, 2, 2, 4, 4]],
])("an empty interval with %s as default", (_, fallback, expected) => {
  expect(Array.from(fillDefault(column, fallback))).toEqual(expected);
});

test("location and scale of the present values", () => {
  expect(measure(column)).toEqual({ mean: 3, deviation: 1 });
});

test("large values keep their digits", () => {
  const { mean, deviation } = measure(Float64Array.from({ length: 1000 }, (_, i) => 1e9 + (i % 2)));
  expect(mean).toBeCloseTo(1e9 + 0.5, 6);
  expect(deviation).toBeCloseTo(0.5, 6);
});

test.each([
  ["a constant", [5, 5, 5], 0.005],
  ["constant zero", [0, 0], 0.001],
  ["nothing at all", [], 0.001],
])("the scale of %s is never 0", (_, values, deviation) => {
  expect(measure(Float64Array.from(values)).deviation).toBe(deviation);
});

test("a standardised series is masked where values are missing, and bounded", () => {
  const series = standardise(Float64Array.of(3, NAN, 5, 1e12), { mean: 3, deviation: 2 });
  expect(Array.from(series.values)).toEqual([0, 0, 1, 50]);
  expect(Array.from(series.observed)).toEqual([1, 0, 1, 1]);
});
