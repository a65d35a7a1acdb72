// Grids: alignment on the epoch, slices, null in JSON.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as grids from "../../../src/core/series/grid.ts";

test.each([
  [0, 60, 0, 0],
  [59, 60, 0, 60],
  [60, 60, 60, 60],
  [61, 60, 60, 120],
  [-1, 60, -60, 0],
  [-60, 60, -60, -60],
  [100, 7, 98, 105],
])("%p in intervals of %p: from %p to %p", (at, interval, floor, ceil) => {
  expect(grids.floorTo(at, interval)).toBe(floor);
  expect(grids.ceilTo(at, interval)).toBe(ceil);
});

test("an aligned range holds the range and less than an interval more at each end", () => {
  const at = fc.integer({ min: -1e13, max: 1e13 });
  const interval = fc.integer({ min: 1, max: 1e10 });
  fc.assert(
    fc.property(at, fc.nat(1e9), interval, (fromAt, length, intervalMs) => {
      const range = { fromAt, toAt: fromAt + length };
      const aligned = grids.alignRange(range, intervalMs);
      expect(aligned.fromAt <= range.fromAt && range.fromAt - aligned.fromAt < intervalMs).toBe(true);
      expect(aligned.toAt >= range.toAt && aligned.toAt - range.toAt < intervalMs).toBe(true);
      const intervals = grids.countIntervals(aligned, intervalMs);
      expect(aligned.fromAt + intervals * intervalMs).toBe(aligned.toAt);
    }),
  );
});

describe("a grid", () => {
  const grid = grids.emptyGrid({ fromAt: 120_000, toAt: 300_000 }, 60_000, ["a", "constructor"]);

  test("starts with everything missing", () => {
    expect(grid).toMatchObject({ startAt: 120_000, intervalMs: 60_000, length: 3 });
    expect(Object.keys(grid.columns)).toEqual(["a", "constructor"]);
    expect(grids.countPresent(grid.columns.a!)).toBe(0);
    expect(grids.timestampsOf(grid)).toEqual([120, 180, 240]);
  });

  test("is empty where the range is", () => {
    expect(grids.emptyGrid({ fromAt: 60, toAt: 60 }, 60, ["a"]).length).toBe(0);
    expect(grids.countIntervals({ fromAt: 60, toAt: 0 }, 60)).toBe(0);
  });

  test("is sliced without copying", () => {
    const slice = grids.sliceGrid(grid, 1, 3);
    expect(slice).toMatchObject({ startAt: 180_000, length: 2 });
    slice.columns.a![0] = 7;
    expect(grid.columns.a![1]).toBe(7);
  });
});

test("renders non-finite values as null", () => {
  expect(grids.toNullable(Float64Array.of(1, Number.NaN, Infinity, -Infinity, 0))).toEqual([
    1,
    null,
    null,
    null,
    0,
  ]);
  expect(grids.countPresent(Float64Array.of(1, Number.NaN, 0))).toBe(2);
});

test.each([
  ["a past range is aligned", [10, 119], 300, [0, 120]],
  ["up to now: without the interval that is still filling up", [0, 130], 130, [0, 120]],
  ["an end on a boundary stays", [0, 120], 120, [0, 120]],
  ["an end that lies ahead is meant so", [0, 200], 130, [0, 240]],
] as const)("%s", (_, [fromAt, toAt], nowAt, expected) => {
  const range = grids.completeRange({ fromAt, toAt }, 60, nowAt);
  expect([range.fromAt, range.toAt]).toEqual([...expected]);
});
