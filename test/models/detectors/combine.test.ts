// Coverage of windows: gaps reduce it, those near the point most.
import { expect, test } from "bun:test";
import { coverageOf } from "../../../src/models/detectors/combine.ts";

const WINDOW = 11;
/** 30 intervals, those of the given ranges missing. */
const columnWithout = (...holes: readonly (readonly [number, number])[]) =>
  Float64Array.from({ length: 30 }, (_, i) =>
    holes.some(([from, to]) => i >= from && i < to) ? Number.NaN : i,
  );

test.each([
  { name: "nothing is missing", holes: [], at: 20, expected: 1 },
  { name: "the series has only begun", holes: [], at: 0, expected: 0 },
  { name: "one point is known", holes: [], at: 1, expected: 10 / 27.5 },
  { name: "the whole window is missing", holes: [[10, 20]], at: 20, expected: 0 },
  { name: "what is older than the window does not matter", holes: [[0, 10]], at: 20, expected: 1 },
  { name: "a third, and the oldest of it", holes: [[10, 13]], at: 20, expected: 1 },
  { name: "the nearest half", holes: [[15, 20]], at: 20, expected: 15 / 27.5 },
  { name: "the farthest half", holes: [[10, 15]], at: 20, expected: 1 },
  { name: "the point itself does not count", holes: [[20, 21]], at: 20, expected: 1 },
] as { name: string; holes: [number, number][]; at: number; expected: number }[])("$name", ({
  holes,
  at,
  expected,
}) => {
  expect(coverageOf(columnWithout(...holes), WINDOW)(at)).toEqual({
    observed: expect.closeTo(expected, 12),
    usual: expect.closeTo(expected, 12),
  });
});

test("an anomaly is observed, but not usual", () => {
  const coverage = coverageOf(columnWithout([18, 20]), WINDOW);
  const without = coverageOf(columnWithout([12, 16], [18, 20]), WINDOW)(20).observed;
  expect(coverage(20, [{ from: 12, to: 16 }])).toEqual({
    observed: coverage(20).observed,
    usual: expect.closeTo(without, 12),
  });
  expect(coverage(20, [{ from: -5, to: 10 }])).toEqual(coverage(20));
  expect(coverage(20, [{ from: -5, to: 20 }]).usual).toBeCloseTo(0, 12);
});
