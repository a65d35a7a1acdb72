// Sketches: where a folded series has data, and its path with gaps.
import { expect, test } from "bun:test";
import { coverageOf, pathOfMeans } from "../../../src/ui/lib/sketch.ts";

test("the cells with data of any feature are covered", () => {
  const features = { a: { mean: [null, 1, null, null] }, b: { mean: [null, null, 2, null] } };
  expect(coverageOf({ from: 100, step: 10, cells: 4, features })).toEqual({ from: 110, to: 130, share: 0.5 });
});

test("without data there is no coverage", () =>
  expect(
    coverageOf({ from: 0, step: 1, cells: 2, features: { a: { mean: [null, null] } } }),
  ).toBeUndefined());

test("a path starts anew after a gap; a level series lies at the bottom", () => {
  expect(pathOfMeans([0, null, 5, 10], { width: 30, height: 10 })).toBe("M0 10M20 5L30 0");
  expect(pathOfMeans([3, 3], { width: 10, height: 4 })).toBe("M0 4L10 4");
});
