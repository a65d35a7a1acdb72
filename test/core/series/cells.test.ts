// Cells: alignment, bounds, and folds that keep every spike.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { foldCells, planCells, viewCells } from "../../../src/core/series/cells.ts";

const M = 60_000;

test("a cell is a multiple of the interval, aligned, without the interval that is still filling", () => {
  const plan = planCells({ fromAt: 7 * M, toAt: 100 * M }, { intervalMs: M, most: 10, nowAt: 95.5 * M });
  expect(plan).toEqual({ range: { fromAt: 0, toAt: 95 * M }, stepMs: 10 * M, count: 10 });
});

test("fewer intervals than cells are not folded; a range in the future is empty", () => {
  const few = planCells({ fromAt: 0, toAt: 5 * M }, { intervalMs: M, most: 10, nowAt: 60 * M });
  expect(few).toMatchObject({ stepMs: M, count: 5 });
  const future = planCells({ fromAt: 90 * M, toAt: 95 * M }, { intervalMs: M, most: 10, nowAt: 60 * M });
  expect(future).toEqual({ range: { fromAt: 90 * M, toAt: 90 * M }, stepMs: M, count: 0 });
});

test("a plan has at most one cell more than asked for, and covers the range", () => {
  const input = fc.record({
    fromAt: fc.integer({ min: 0, max: 1e9 }),
    spanMs: fc.integer({ min: 1, max: 1e9 }),
    intervalMs: fc.integer({ min: 1000, max: 1e6 }),
    most: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(input, ({ fromAt, spanMs, intervalMs, most }) => {
      const toAt = fromAt + spanMs;
      const { range, stepMs, count } = planCells({ fromAt, toAt }, { intervalMs, most, nowAt: 1e13 });
      expect(count).toBeLessThanOrEqual(most + 1);
      expect(stepMs % intervalMs).toBe(0);
      expect(range.fromAt).toBeLessThanOrEqual(fromAt);
      expect(range.toAt).toBeGreaterThanOrEqual(toAt);
    }),
  );
});

test("minimum, mean and maximum of what is there; the last cell may be short", () => {
  const { min, mean, max } = foldCells(Float64Array.of(1, 9, Number.NaN, -3, Number.NaN, Number.NaN, 5), 2);
  expect([...min]).toEqual([1, -3, Number.NaN, 5]);
  expect([...mean]).toEqual([5, -3, Number.NaN, 5]);
  expect([...max]).toEqual([9, -3, Number.NaN, 5]);
  expect(foldCells(new Float64Array(0), 3).min).toHaveLength(0);
});

test("views have five digits, and null for a gap", () => {
  expect(viewCells(Float64Array.of(123_456.7, 0.000_123_456_7, Number.NaN, Infinity))).toEqual([
    123_460,
    0.000_123_46,
    null,
    null,
  ]);
});
