// Geometry of small charts: round ticks, extents, paths with gaps.
import { expect, test } from "bun:test";
import { areaPath, extentOf, linePath, scale, timeTicks, valueTicks } from "../../../src/ui/lib/plot.ts";

test.each([
  [0, 100, 5, [0, 20, 40, 60, 80, 100]],
  [-3, 8, 4, [0, 5]],
  [0.1, 0.35, 5, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]],
  [7, 7, 5, [7]],
])("ticks of %p to %p, about %p", (min, max, count, ticks) =>
  expect(valueTicks(min, max, count).map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks));

const HOUR = 3600;
test("ticks of time are round in the zone", () => {
  expect(timeTicks(0, 24 * HOUR, 8)).toEqual(
    [0, 3, 6, 9, 12, 15, 18, 21, 24].slice(0, 9).map((h) => h * HOUR),
  );
  expect(timeTicks(0, 48 * HOUR, 2, 2 * HOUR)).toEqual([22 * HOUR, 46 * HOUR]);
});

test("the extent leaves room, also around one value and none", () => {
  expect(extentOf([[0, null], [100]])).toEqual({ min: -4, max: 104 });
  expect(extentOf([[50]])).toEqual({ min: 45, max: 55 });
  expect(extentOf([[null], []])).toEqual({ min: 0, max: 1 });
});

const x = scale([0, 10], [0, 100]);
const y = scale([0, 1], [50, 0]);

test("a scale of one value is constant", () => expect(scale([3, 3], [7, 9])(3)).toBe(7));

test("lines have gaps; a lone value is a short stroke", () =>
  expect(linePath([0, 1, null, 0.5, null, 1], x, y)).toBe("M0 50L10 0M30 25h.5M50 0h.5"));

test("areas go there and back, in parts", () =>
  expect(areaPath([0, 0, null, 0], [1, 0.5, 1, 1], x, y)).toBe("M0 0L10 25L10 50L0 50ZM30 0L30 50Z"));
