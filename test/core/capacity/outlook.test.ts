// Outlooks: dates of a limit with a band and a backtest; none without certain growth.
import { expect, test } from "bun:test";
import { findOutlook } from "../../../src/core/capacity/outlook.ts";
import { finish } from "../../../src/core/steps.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOURS = 24 * 20;
const LIMIT = { type: "high", value: 90 } as const;

function outlook(
  valueAt: (hour: number) => number,
  limit: Parameters<typeof findOutlook>[1] = LIMIT,
  noise = 0.3,
) {
  const random = createRandom(5);
  const column = Float64Array.from({ length: HOURS }, (_, i) => valueAt(i) + noise * random.normal());
  return finish(findOutlook({ column, perDay: 24 }, limit));
}

test("a straight rise has a date, a band around it, and earlier dates that were right", () => {
  // 90 at hour 700: 220 after the end.
  const found = outlook((hour) => 20 + hour / 10)!;
  expect(found.expected).toBeGreaterThan(210);
  expect(found.expected).toBeLessThan(230);
  expect(found.earliest).toBeLessThan(220);
  expect(found.latest).toBeGreaterThan(220);
  expect(found.isPredictable).toBe(true);
  expect(found.backtest.of).toBeGreaterThanOrEqual(8);
  expect(found.backtest.right).toBeGreaterThanOrEqual(0.9 * found.backtest.of);
  expect(found.slope).toBeCloseTo(0.1, 2);
});

test("a floor is reached by a fall", () => {
  const found = outlook((hour) => 90 - hour / 10, { type: "low", value: 20 })!;
  expect(Math.abs(found.expected - 220)).toBeLessThan(10);
  expect(found.slope).toBeCloseTo(-0.1, 2);
});

test("the peaks of a growing sawtooth reach it, not its mean", () => {
  // Peaks of 20 + 16 + hour / 10 every 40 hours: 90 at hour 556.
  const found = outlook((hour) => 20 + hour / 10 + (16 * (hour % 40)) / 40)!;
  expect(Math.abs(found.expected - 76)).toBeLessThan(6);
});

const flat: Record<string, (hour: number) => number> = {
  level: () => 60,
  "stable sawtooth": (hour) => 40 + (45 * (hour % 50)) / 50,
  "sawtooth of weeks that was cleaned up twice": (hour) => 40 + (30 * (hour % 168)) / 168,
  "daily wave": (hour) => 60 + 25 * Math.sin((2 * Math.PI * hour) / 24),
  "weekly wave": (hour) => 60 + 25 * Math.sin((2 * Math.PI * hour) / 168),
  "single step": (hour) => (hour < 300 ? 40 : 80),
  "rise that has ended": (hour) => 30 + Math.min(45, hour / 6),
};

test.each(Object.entries(flat))("a %s has none", (_name, valueAt) => {
  expect(outlook(valueAt)).toBeUndefined();
});

test("a rise that takes longer than its history has none", () => {
  expect(outlook((hour) => 20 + hour / 50)).toBeUndefined();
});

test("growth since a reset is judged by itself", () => {
  // 90 at hour 690.
  const found = outlook((hour) => (hour < 240 ? 20 + hour / 5 : 45 + (hour - 240) / 10))!;
  expect(Math.abs(found.expected - 210)).toBeLessThan(25);
});

const disturbed: Record<string, (hour: number) => number> = {
  "temporary files": (hour) => (hour === 100 || hour === 350 ? 20 : 0),
  "an outage that is read as 0": (hour) => (hour >= 200 && hour < 230 ? -20 - hour / 10 : 0),
  "an upload": (hour) => (hour < 300 ? -12 : 0),
  "a deletion a day ago": (hour) => (hour < 455 ? 9 : 0),
};

test.each(Object.entries(disturbed))("a rise with %s has the date of its rise", (_name, off) => {
  // 90 at hour 700: 220 after the end.
  const found = outlook((hour) => 20 + hour / 10 + off(hour))!;
  expect(found.isPredictable).toBe(true);
  expect(Math.abs(found.expected - 220)).toBeLessThan(15);
});

test("three clean-ups tell a trend, as many parts of their cycles do", () => {
  // 78 at hour 704: 224 after the end.
  const found = outlook((hour) => 40 + hour / 24 + (10 * (hour % 120)) / 120, { type: "high", value: 78 })!;
  expect(Math.abs(found.expected - 224)).toBeLessThan(15);
});

test("six days of a rise with a wave have a date, as three show the wave", () => {
  const column = Float64Array.from(
    { length: 144 },
    (_, i) => 30 + i / 3.6 + 3 * Math.sin((Math.PI * i) / 12),
  );
  const found = finish(findOutlook({ column, perDay: 24 }, LIMIT))!;
  expect(found.isPredictable).toBe(true);
  expect(Math.abs(found.expected - 72)).toBeLessThan(10);
});

test("a gap is no jump: the dates before and after it are as many as without it", () => {
  const cases = (hasGap: boolean) =>
    outlook((hour) => (hasGap && hour >= 200 && hour < 235 ? Number.NaN : 20 + hour / 10), LIMIT, 0)!.backtest
      .of;
  expect(cases(true)).toBe(cases(false));
});

test("too few values, or none, have none", () => {
  for (const length of [0, 3, 11]) {
    const column = Float64Array.from({ length }, (_, i) => i);
    expect(finish(findOutlook({ column, perDay: 24 }, LIMIT))).toBeUndefined();
  }
  expect(
    finish(findOutlook({ column: new Float64Array(100).fill(Number.NaN), perDay: 24 }, LIMIT)),
  ).toBeUndefined();
});

test("missing values change nothing", () => {
  const found = outlook((hour) => (hour % 5 === 0 ? Number.NaN : 20 + hour / 10))!;
  expect(Math.abs(found.expected - 220)).toBeLessThan(12);
});
