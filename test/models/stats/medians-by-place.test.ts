// Medians of values by their place.
import { expect, test } from "bun:test";
import { mediansByPlace } from "../../../src/models/stats/medians-by-place.ts";

const inThrees = (i: number) => i % 3;

test.each([
  ["an odd number of values: the middle one", [1, 5, 0, 9, 5, 0, 3, 6, 0], [3, 5, 0]],
  ["an even number: the mean of the middle two", [1, 2, 3, 2, 4, 6], [1.5, 3, 4.5]],
  ["missing values do not count", [1, Number.NaN, 3, 9, 4, 5], [5, 4, 4]],
  ["a place without a value has none", [1, Number.NaN, 3], [1, Number.NaN, 3]],
] as const)("%s", (_, values, medians) => {
  expect(Array.from(mediansByPlace(Float64Array.from(values), 3, inThrees))).toEqual([...medians]);
});
