// Piecewise linear functions: at the points, between and beyond them.
import { expect, test } from "bun:test";
import { piecewise } from "../../../src/models/stats/piecewise.ts";

test("is linear between the points, and constant beyond them", () => {
  const at = (x: number) => piecewise([0, 10, 20], [1, 3, -1], x);
  expect([-5, 0, 5, 10, 15, 20, 25].map(at)).toEqual([1, 1, 2, 3, 1, -1, -1]);
});
