// Simple forecasts: exact on the series they assume, without look-ahead.
import { describe, expect, test } from "bun:test";
import { chooseByBacktest, dayNaive, forecasters, spreadOrigins, weekMedian } from "./forecasts.ts";

const DAY = 8;
const WEEK = 7 * DAY;
const LENGTH = 10 * WEEK;

const daily = (i: number) => [0, 1, 3, 7, 9, 6, 4, 2][i % DAY]!;
const weekly = (i: number) => daily(i) * (Math.floor(i / DAY) % 7 < 5 ? 1 : 0.3);
const noise = (i: number) => (((i * 7919) % 101) / 101 - 0.5) * 2;

const historyOf = (value: (i: number) => number) => ({
  values: Float64Array.from({ length: LENGTH }, (_, i) => value(i)),
  day: DAY,
  trainTo: LENGTH / 2,
});

describe.each(Object.entries(forecasters))("%s", (_, fit) => {
  test("continues a daily season", () => {
    const history = historyOf(daily);
    const predicted = fit(history)(LENGTH - DAY);
    for (const [h, value] of predicted.entries()) expect(value).toBeCloseTo(daily(LENGTH - DAY + h), 3);
  });

  test("does not look beyond the origin", () => {
    const origin = 6 * WEEK + 3;
    const history = historyOf((i) => weekly(i) + noise(i));
    const changed = { ...history, values: history.values.map((value, i) => (i < origin ? value : -99)) };
    expect([...fit(changed)(origin)]).toEqual([...fit(history)(origin)]);
  });

  test("gaps leave no gap in the forecast", () => {
    const history = historyOf((i) => (i % 5 === 0 || i > 9 * WEEK ? Number.NaN : weekly(i)));
    expect([...fit(history)(LENGTH - DAY)].every(Number.isFinite)).toBe(true);
  });
});

test("the day before; a missing value takes that of the day before it", () => {
  const values = Float64Array.of(1, 2, 3, 4, Number.NaN, 6);
  expect([...dayNaive({ values, day: 2, trainTo: 6 })(6)]).toEqual([3, 6]);
});

test("the median of the last four weeks forgets what is older and what is rare", () => {
  const { values, ...rest } = historyOf((i) => (i < 4 * WEEK ? 100 : weekly(i)));
  values.fill(55, 8 * WEEK, 9 * WEEK);
  const predicted = weekMedian({ values, ...rest })(9 * WEEK);
  expect([...predicted]).toEqual(Array.from({ length: DAY }, (_, h) => weekly(9 * WEEK + h)));
});

test.each([
  ["week median", (i: number) => weekly(i) + 0.01 * noise(i)],
  // The shape of the day turns over every third day: yesterday is mostly right, smoothing mixes both, weeks are out of step.
  ["day-naive", (i: number) => daily(Math.floor(i / (3 * DAY)) % 2 === 0 ? i : DAY - 1 - (i % DAY))],
  // Yesterday carries its own noise on, the season smoothed over many days does not; weeks hold no more than days.
  ["Holt-Winters", (i: number) => daily(i) + 0.1 * i + 3 * noise(i)],
] as const)("%s is chosen where it fits", (name, value) => {
  expect(chooseByBacktest(historyOf(value))).toBe(name);
});

test("origins are spread from the first to the last", () => {
  expect(spreadOrigins({ from: 10, to: 20, count: 5 })).toEqual([10, 13, 15, 18, 20]);
  expect(spreadOrigins({ from: 7, to: 9, count: 1 })).toEqual([7]);
});
