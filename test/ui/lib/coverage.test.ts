// Stretch of a folded series that has data.
import { expect, test } from "bun:test";
import { coverageOf } from "../../../src/ui/lib/coverage.ts";

test("the cells with data of any feature are covered", () => {
  const features = { a: { mean: [null, 1, null, null] }, b: { mean: [null, null, 2, null] } };
  expect(coverageOf({ from: 100, step: 10, cells: 4, features })).toEqual({ from: 110, to: 130, share: 0.5 });
});

test("without data there is no coverage", () =>
  expect(
    coverageOf({ from: 0, step: 1, cells: 2, features: { a: { mean: [null, null] } } }),
  ).toBeUndefined());
