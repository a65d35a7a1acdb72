// Trend: growth and filling are removed; steps, wandering and seasons are none.
import { describe, expect, spyOn, test } from "bun:test";
import { fitTrend, flatten, restore, trendOf } from "../../../src/models/baseline/trend.ts";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, growing, HOUR, series, timeline, totals } from "./growing-series.ts";

describe("fitTrend()", () => {
  test("points of a day are added up without a look at other days", () => {
    const set = spyOn(Map.prototype, "set");
    try {
      fitTrend(
        series(28, (value) => value),
        timeline,
      );
      // Of either kind.
      expect(set.mock.calls.length).toBeLessThan(2 * 28 + DAY);
    } finally {
      set.mockRestore();
    }
  });

  test("a day that a clock returns to at midnight is one day", () => {
    const values = series(28, (value, day) => 0.01 * value + 0.7 * day);
    const setBackAt = 10 * DAY * HOUR;
    const offsetAt = (at: number) => (at < setBackAt ? 0 : -HOUR);
    const [plain, changed] = [timeline, { ...timeline, offsetAt }].map((own) => fitTrend(values, own)!);
    expect(changed!.slope).toBeCloseTo(plain!.slope, 1);
  });

  test.each([0.005, 0.01, -0.01])("growth by %p a day is multiplicative", (share) => {
    const trend = fitTrend(series(35, growing(share)), timeline)!;
    expect(trend.kind).toBe("multiplicative");
    expect(trend.slope).toBeCloseTo(Math.log(1 + share), 3);
  });

  test.each([1, 1e-12])("a filling disk is additive, in units of %p", (unit) => {
    const trend = fitTrend(
      series(28, (value, day) => unit * (0.01 * value + 0.7 * day)),
      timeline,
    )!;
    expect(trend.kind).toBe("additive");
    expect(trend.slope / unit).toBeCloseTo(0.7, 1);
  });

  const random = createRandom(6);
  let level = 0;
  const walk = Array.from({ length: 40 }, () => (level += random.normal()));
  test.each([
    ["a season", (value: number) => value],
    ["a step", (value: number, day: number) => value + (day > 14 ? 80 : 0)],
    ["zeros", () => 0],
    ["wandering days", (value: number, day: number) => value + 10 * walk[Math.floor(day)]!],
  ])("%s is none", (_, change) => {
    expect(fitTrend(series(28, change), timeline)).toBeUndefined();
  });

  test.each([3, 4, 6])("%d days of a disk that fills steadily are enough", (days) => {
    const noise = createRandom(7);
    const column = Float64Array.from(
      { length: days * DAY },
      (_, i) => 60 + (1.8 * i) / DAY + 0.2 * noise.normal(),
    );
    const trend = fitTrend(column, timeline)!;
    const rest = flatten(trend, column, trendOf(trend, timeline, column.length));
    expect(Math.max(...rest) - Math.min(...rest)).toBeLessThan(2);
  });

  test("some days of a series that wanders are none, of 200 that rise and fall", () => {
    const noise = createRandom(8);
    const found = Array.from({ length: 200 }, (_, k) => {
      let value = 1000;
      const column = Float64Array.from({ length: (3 + (k % 4)) * DAY }, () => (value += noise.normal()));
      return fitTrend(column, timeline);
    });
    expect(found.filter(Boolean)).toEqual([]);
  });

  test("six days with a season, and two weeks less a day of one point each, are too few to tell", () => {
    expect(fitTrend(series(6, growing(0.05)), timeline)).toBeUndefined();
    const days = (count: number) => totals(count, 1, growing(0.05));
    expect(fitTrend(days(13), { startAt: 0, intervalMs: DAY * HOUR })).toBeUndefined();
    expect(fitTrend(days(14), { startAt: 0, intervalMs: DAY * HOUR })).toBeDefined();
  });

  test.each([1, 7, 30])("one point in %p days grows as hours do", (days) => {
    const trend = fitTrend(totals(120, days, growing(0.01)), { startAt: 0, intervalMs: days * DAY * HOUR })!;
    expect(trend.kind).toBe("multiplicative");
    expect(trend.slope).toBeCloseTo(Math.log(1.01), 3);
  });
});

test.each(["additive", "multiplicative"] as const)("%s: restore() is the inverse of flatten()", (kind) => {
  const trend = { kind, fromAt: 0, level: 1, slope: 0.5, center: 0, weekdays: Array(7).fill(0), spread: 1 };
  const column = Float64Array.from({ length: 48 }, (_, i) => i + 1);
  const amounts = trendOf(trend, timeline, column.length);
  const flat = flatten(trend, column, amounts);
  for (const [i, value] of restore(trend, flat, amounts).entries()) expect(value).toBeCloseTo(column[i]!, 9);
  expect(flat[47]).not.toBe(column[47]);
});
