// Levels before the origins of a backtest, in the present one.
import { expect, test } from "bun:test";
import { levelsOf } from "../../../src/models/forecasters/error-level.ts";

const plan = { horizon: 2, leads: [0, 1], origins: [2, 4] };

test("means of a near horizon, in that of the newest values", () => {
  expect(levelsOf(Float64Array.of(1, 3, 2, 6, 7, 9), plan)).toEqual([0.25, 0.5]);
});

test("at most ten times apart, for errors at quite another level say little", () => {
  expect(levelsOf(Float64Array.of(1, 1, 2, 2, 100, 100), plan)).toEqual([0.1, 0.1]);
});

test.each([
  ["a value of 0", [0, 3, 2, 6, 7, 9]],
  ["a value below 0", [1, 3, -2, 6, 7, 9]],
  ["no value before an origin", [Number.NaN, Number.NaN, 2, 6, 7, 9]],
])("unknown with %s", (_, values) => {
  expect(levelsOf(Float64Array.from(values), plan)).toBeUndefined();
});
