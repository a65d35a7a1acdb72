// Trend: growth and filling are removed and followed; steps, wandering and seasons are none.
import { describe, expect, spyOn, test } from "bun:test";
import { fitTrend, flatten, followTrend, restore, trendOf } from "../../../src/models/baseline/trend.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const DAY = 24;
const timeline = { startAt: 0, intervalMs: HOUR };

/** Hours of a daily sine with noise; weekends are quieter. */
function series(days: number, change: (value: number, day: number) => number): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: days * DAY }, (_, i) => {
    const weekend = Math.floor(i / DAY) % 7 >= 5 ? 0.7 : 1;
    const usual = weekend * (100 + 30 * Math.sin((2 * Math.PI * i) / DAY));
    return change(usual * (1 + 0.03 * random.normal()), i / DAY);
  });
}

/** One value in so many days, with noise; weekends are quieter where each day has its value. */
function totals(count: number, days: number, change: (value: number, day: number) => number): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: count }, (_, i) => {
    const weekend = days === 1 && i % 7 >= 5 ? 0.7 : 1;
    return change(100 * weekend * (1 + 0.03 * random.normal()), i * days);
  });
}

const growing = (share: number) => (value: number, day: number) => value * (1 + share) ** day;

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

  test("a filling disk is additive", () => {
    const trend = fitTrend(
      series(28, (value, day) => 0.01 * value + 0.7 * day),
      timeline,
    )!;
    expect(trend.kind).toBe("additive");
    expect(trend.slope).toBeCloseTo(0.7, 1);
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

describe("followTrend()", () => {
  const TRAINED = 28 * DAY;
  const column = series(56, growing(0.01));
  const trend = fitTrend(column.slice(0, TRAINED), timeline)!;
  const input = { column, timeline, from: TRAINED };

  test("the level stays within two percent of the growth", () => {
    const { amounts } = followTrend(trend, input, undefined);
    for (let i = TRAINED; i < column.length; i++)
      expect(amounts[i]! / 1.01 ** ((i - TRAINED) / DAY)).toBeWithin(0.98, 1.02);
  });

  test("it has no steps: what grows evenly, and not as expected, has none at midnight", () => {
    const faster = series(56, (value, day) => value * 1.01 ** day * 1.002 ** Math.max(0, day - 28));
    const { amounts } = followTrend(trend, { ...input, column: faster }, undefined);
    const changes = [...amounts.keys()].slice(TRAINED + 1).map((i) => amounts[i]! / amounts[i - 1]! - 1);
    const hourly = 0.01 / DAY;
    for (const change of changes) expect(change).toBeWithin(hourly / 2, 2 * hourly);
  });

  test("growth that ends is followed within three weeks", () => {
    const ended = series(70, (value, day) => value * 1.01 ** Math.min(day, 28));
    const { amounts } = followTrend(trend, { ...input, column: ended }, undefined);
    for (let i = 49 * DAY; i < ended.length; i++) expect(amounts[i]!).toBeWithin(0.85, 1.15);
  });

  test("a day of outage does not move it", () => {
    const out = column.map((value, i) => (i >= 40 * DAY && i < 41 * DAY ? 0.1 * value : value));
    const { amounts } = followTrend(trend, { ...input, column: out }, undefined);
    expect(amounts[44 * DAY]! / 1.01 ** 16).toBeWithin(0.97, 1.03);
  });

  test("in slices, with the memory as JSON, the amounts are the same bits as in one go", () => {
    const { amounts } = followTrend(trend, input, undefined);
    let memory: Parameters<typeof followTrend>[2];
    for (let from = TRAINED; from < column.length; from += 37) {
      const start = from - 119;
      const part = column.slice(start, Math.min(column.length, from + 37));
      const own = { startAt: start * HOUR, intervalMs: HOUR };
      const slice = followTrend(trend, { column: part, timeline: own, from: 119 }, memory);
      expect(slice.amounts).toEqual(amounts.slice(start, start + part.length));
      memory = JSON.parse(JSON.stringify(slice.memory));
    }
  });
});

test("days of one point are known for the whole history of windows, in slices as in one go", () => {
  const [trained, history] = [119, 119];
  const column = totals(trained + 200, 1, growing(0.01));
  const daily = { startAt: 0, intervalMs: DAY * HOUR };
  const trend = fitTrend(column.slice(0, trained), daily)!;
  const from = trained + history;
  const whole = followTrend(trend, { column, timeline: daily, from: trained }, undefined);
  const first = followTrend(
    trend,
    { column: column.slice(0, from), timeline: daily, from: trained },
    undefined,
  );
  const startAt = trained * daily.intervalMs;
  const last = followTrend(
    trend,
    { column: column.slice(trained), timeline: { ...daily, startAt }, from: history },
    JSON.parse(JSON.stringify(first.memory)),
  );
  expect(last.amounts).toEqual(whole.amounts.slice(trained));
});

test.each(["additive", "multiplicative"] as const)("%s: restore() is the inverse of flatten()", (kind) => {
  const trend = { kind, fromAt: 0, level: 1, slope: 0.5, center: 0, weekdays: Array(7).fill(0), spread: 1 };
  const column = Float64Array.from({ length: 48 }, (_, i) => i + 1);
  const amounts = trendOf(trend, timeline, column.length);
  const flat = flatten(trend, column, amounts);
  for (const [i, value] of restore(trend, flat, amounts).entries()) expect(value).toBeCloseTo(column[i]!, 9);
  expect(flat[47]).not.toBe(column[47]);
});
