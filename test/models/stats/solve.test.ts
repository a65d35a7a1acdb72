// Linear equations of least squares.
import { expect, test } from "bun:test";
import { solve } from "../../../src/models/stats/solve.ts";

/** Rows of the lower triangle; what is above it must not be read. */
const matrixOf = (...rows: number[][]) =>
  rows.map((row) => Float64Array.from({ length: rows.length }, (_, k) => row[k] ?? Number.NaN));

test.each([
  ["one equation", [[4]], [8], [2]],
  ["two equations", [[4], [2, 3]], [8, 8], [1, 2]],
  ["three equations", [[2], [1, 2], [0, 1, 2]], [4, 8, 8], [1, 2, 3]],
  ["equations of very different size", [[1e12], [0, 1e6]], [3e12, 5e6], [3, 5]],
] as const)("%s", (_, rows, right, found) => {
  const matrix = matrixOf(...rows.map((row) => [...row]));
  for (const [k, value] of solve(matrix, Float64Array.from(right)).entries())
    expect(value).toBeCloseTo(found[k]!, 2);
});

test("a direction that no value shows is 0", () => {
  const [shown, hidden] = solve(matrixOf([1], [0, 0]), Float64Array.of(3, 0));
  expect(shown!).toBeCloseTo(3, 6);
  expect(hidden).toBe(0);
});

test("the right side is kept", () => {
  const right = Float64Array.of(8);
  solve(matrixOf([4]), right);
  expect(right[0]).toBe(8);
});
