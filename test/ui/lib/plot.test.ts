// Geometry of small charts: round ticks, extents, paths with gaps.

import { describe, expect, test } from "bun:test";
import { createNumbers } from "../../../src/ui/lib/format.ts";
import {
  areaPath,
  extentOf,
  extentWithBand,
  formatInstant,
  linePath,
  nearestIndex,
  scale,
  timeLabels,
  timeTicks,
  valueAxis,
  valueTicks,
  withSymbol,
} from "../../../src/ui/lib/plot.ts";

test.each([
  [0, 100, 5, [0, 20, 40, 60, 80, 100]],
  [-3, 8, 4, [0, 5]],
  [0.1, 0.35, 5, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]],
  [7, 7, 5, [7]],
])("ticks of %p to %p, about %p", (min, max, count, ticks) =>
  expect(valueTicks(min, max, count).map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks));

test.each([
  [0, 0.004, "ratio", "en", ["0", "0.1", "0.2", "0.3", "0.4"], "%"],
  [0, 1e9, "B", "de", ["0", "0,2", "0,4", "0,6", "0,8", "1"], "GB"],
  [0, 600, "s", "en", ["0", "2", "4", "6", "8", "10"], "min"],
  [0, 3000, "{request}/s", "en", ["0", "1", "2", "3"], "k requests/s"],
  [900_000, 1_100_000, undefined, "en", ["0.9", "0.95", "1", "1.05", "1.1"], "M"],
])("an axis of %p to %p in %p and %s: %p %s", (min, max, unit, language, labels, symbol) => {
  const axis = valueAxis({ min, max, count: 5 }, { unit, language });
  expect([axis.labels, axis.symbol]).toEqual([labels, symbol]);
  expect(axis.ticks).toHaveLength(labels.length);
});

test("the symbol stands behind each label where all have room, else nowhere", () => {
  const fits = (label: string) => label.length <= 7;
  const labels = ["0", "0.5", "1"];
  expect(withSymbol({ labels, symbol: "GB" }, fits)).toEqual({
    labels: ["0 GB", "0.5 GB", "1 GB"],
    isWhole: true,
  });
  expect(withSymbol({ labels, symbol: "requests" }, fits)).toEqual({ labels, isWhole: false });
});

const HOUR = 3600;
const DAY = 24 * HOUR;

test("ticks of time are round in the zone", () => {
  expect(timeTicks(0, DAY, 8)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24].map((h) => h * HOUR));
  expect(timeTicks(0, 2 * DAY, 2, () => 2 * HOUR)).toEqual([22 * HOUR, 46 * HOUR]);
});

test.each([
  [
    [21.883, 21.867, 19.5, 24],
    ["21.9", "21.9", "19.5", "24"],
  ],
  [
    [21.883, 21.867, 21.86, 21.875],
    ["21.883", "21.867", "21.86", "21.875"],
  ],
  [
    [8.05, null, undefined, null],
    ["8.05", "–", "–", "–"],
  ],
])("%p of an instant are %p", (values, texts) =>
  expect(formatInstant(createNumbers("en"), values)).toEqual(texts));

test("the narrowest axis has three labels of each range that a button shows", () => {
  const end = Date.UTC(2026, 10, 29, 13, 2) / 1000;
  const hours = [6, 24, 7 * 24, 30 * 24, 90 * 24, 365 * 24];
  const counts = hours.map((span) => timeTicks(end - span * HOUR, end, timeLabels(200)).length);
  expect(counts).toEqual([3, 3, 4, 3, 3, 3]);
  expect(timeLabels(880)).toBe(10);
  for (let days = 1; days < 50; days++)
    expect(timeTicks(end - days * DAY, end, timeLabels(200)).length).toBeGreaterThanOrEqual(2);
});

test("days start at midnight before and after the clocks change", () => {
  const change = 2.5 * DAY;
  const offset = (seconds: number) => (seconds < change ? HOUR : 2 * HOUR);
  expect(timeTicks(0, 5 * DAY, 6, offset).map((at) => (at + offset(at)) % DAY)).toEqual([0, 0, 0, 0, 0]);
});

test("long ranges have ticks at the starts of months and years", () => {
  const at = (year: number, month: number) => Date.UTC(year, month) / 1000;
  const year = timeTicks(at(2025, 4) + DAY, at(2026, 4), 5);
  expect(year).toEqual([at(2025, 6), at(2025, 9), at(2026, 0), at(2026, 3)]);
  expect(timeTicks(at(1968, 5), at(1975, 5), 4)).toEqual([at(1970, 0), at(1972, 0), at(1974, 0)]);
});

test.each([
  [-1, 0],
  [14, 0],
  [16, 1],
  [20, 1],
  [99, 2],
])("the time nearest to %p is that of index %p", (at, index) =>
  expect(nearestIndex([10, 20, 30], at)).toBe(index));

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

describe("extentWithBand()", () => {
  const observed = [[1, 2, 1.5]];
  test("has room for most of the band", () => {
    const lower = Array.from({ length: 100 }, (_, i) => (i === 50 ? -100 : 0.5));
    const upper = Array.from({ length: 100 }, () => 2.5);
    expect(extentWithBand(observed, [lower, upper])).toEqual({ min: 0.5, max: 2.5 });
  });

  test("a band that is wide throughout leaves the values a fifth of the height", () => {
    const { min, max } = extentWithBand(observed, [
      [-20, -20, -20],
      [20, 20, 20],
    ]);
    expect(1 / (max - min)).toBeGreaterThan(0.18);
    expect([min < 1, max > 2]).toEqual([true, true]);
  });

  test("constant values show the whole band, and none is no matter", () => {
    expect(extentWithBand([[5, 5]], [[-20], [20]])).toEqual({ min: -20, max: 20 });
    expect(extentWithBand(observed, [[], [null]])).toEqual(extentOf(observed));
  });
});
