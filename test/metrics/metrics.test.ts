// Every metric over points whose answer was worked out by hand.
import { describe, expect, test } from "bun:test";
import { checkMetric, metricNames, metrics, resolveMetric } from "../../src/metrics/index.ts";
import type { IntervalPoints } from "../../src/metrics/kind.ts";
import { errorOf } from "../core/expect.ts";

/** Points at 0, 10, 30 and 50 s, or as many of these as there are values. */
const seconds = [0, 10, 30, 50];

function reduce(metric: string, values: number[], previous?: IntervalPoints["previous"]): number {
  const times = Float64Array.from(values, (_, i) => seconds[i]! * 1000);
  return resolveMetric(metric)!.reduce({ times, values: Float64Array.from(values), previous });
}

const rows: [string, number[], number][] = [
  ["count", [1, 4, 2, 4], 4],
  ["count", [Number.NaN, 1], 2],
  ["sum", [1, 4, 2, 4], 11],
  ["sum", [-1.5, 1.5], 0],
  ["avg", [1, 4, 2, 4], 2.75],
  ["min", [1, 4, 2, 4], 1],
  ["min", [-3, -7], -7],
  ["max", [1, 4, 2, 4], 4],
  ["max", [-3, -7], -3],
  ["spread", [1, 4, 2, 4], 3],
  ["spread", [5], 0],
  ["median", [1, 4, 2, 4], 3],
  ["median", [9, 1, 5], 5],
  ["median", [10, 9, 100], 10],
  ["median", [7], 7],
  ["mode", [1, 4, 2, 4], 4],
  ["mode", [2, 1, 1, 2], 2],
  ["mode", [3, 1], 3],
  ["variance", [1, 4, 2, 4], 2.25],
  ["variance", [5], Number.NaN],
  ["stddev", [1, 4, 2, 4], 1.5],
  ["stddev", [2, 2, 2], 0],
  ["stddev", [5], Number.NaN],
  ["stddev", [1e9 + 1, 1e9 + 2, 1e9 + 3], 1],
  ["sum_of_squares", [1, 4, 2, 4], 37],
  ["first", [1, 4, 2, 3], 1],
  ["last", [1, 4, 2, 3], 3],
  ["integral", [1, 4, 2, 4], 25 + 60 + 60],
  ["integral", [8], 0],
  ["50percentile", [1, 4, 2, 4], 2],
  ["90percentile", [1, 4, 2, 4], 4],
  ["25percentile", [1, 4, 2, 4], 1],
  ["p37.5", [1, 4, 2, 3], 2],
  ["p0", [3, 1, 2], 1],
  ["p100", [3, 1, 2], 3],
  ["p95", [-5, 10, -20, 100], 100],
  ["derivative", [1, 4], Number.NaN],
  ["rate", [5], Number.NaN],
  ["rate", [10, 40], 3],
  ["rate", [10, 40, 5], 35 / 30],
];
describe("within an interval", () => {
  test.each(rows.map((row) => [row]))("%j", ([metric, values, expected]) => {
    const value = reduce(metric, values);
    if (Number.isNaN(expected)) expect(value).toBeNaN();
    else expect(value).toBeCloseTo(expected, 12);
  });
});

describe("with a point before the interval", () => {
  const previous = { at: -20_000, value: 2 };
  test.each([
    ["derivative", [1, 4], 2 / 30],
    ["derivative", [0], -2 / 20],
    ["rate", [5, 9], 7 / 30],
    ["rate", [1, 4], 4 / 30],
    ["rate", [2, 2], 0],
  ] as [string, number[], number][])("%s of %j", (metric, values, expected) => {
    expect(reduce(metric, values, previous)).toBeCloseTo(expected, 12);
  });

  test("no time passed, no change per second", () => {
    expect(reduce("derivative", [5], { at: 0, value: 1 })).toBeNaN();
    expect(reduce("rate", [5], { at: 0, value: 1 })).toBeNaN();
  });
});

test("derivative and rate are stateful: computed from the change since the interval before", () => {
  expect(metrics.filter(({ isStateful }) => isStateful).map(({ name }) => name)).toEqual([
    "derivative",
    "rate",
  ]);
  const change = { fromAt: 0, from: 9, toAt: 10_000, to: 4, growth: 4, isFromBefore: true };
  expect(resolveMetric("rate")!.fromDelta!(change)).toBe(0.4);
  expect(resolveMetric("derivative")!.fromDelta!(change)).toBe(-0.5);
  expect(resolveMetric("derivative")!.fromDelta!({ ...change, isFromBefore: false })).toBeNaN();
});

test("a reducer leaves its points alone", () => {
  for (const metric of [...metrics, resolveMetric("p90")!]) {
    const times = Float64Array.of(1, 2, 3);
    const values = Float64Array.of(9, 1, 5);
    metric.reduce({ times, values, previous: { at: 0, value: 1 } });
    expect([...times, ...values]).toEqual([1, 2, 3, 9, 1, 5]);
  }
});

test("an empty interval counts 0 and has no other value", () => {
  for (const metric of [...metrics, resolveMetric("p90")!]) {
    expect(metric.empty).toBe(metric.name === "count" ? 0 : Number.NaN);
  }
});

describe("names", () => {
  test.each([
    ["AVG", "avg"],
    ["mean", "avg"],
    ["Average", "avg"],
    ["med", "median"],
    ["std_dev", "stddev"],
    ["STD_DEVIATION", "stddev"],
    ["deriv", "derivative"],
    [" count ", "count"],
    ["95percentile", "95percentile"],
    ["P95", "95percentile"],
    ["99.9Percentile", "99.9percentile"],
    ["p0", "0percentile"],
    ["p100", "100percentile"],
    ["p05", "5percentile"],
  ])("%p is %p", (name, canonical) => expect(resolveMetric(name)?.name).toBe(canonical));

  test.each([
    "",
    "p",
    "percentile",
    "p101",
    "100.1percentile",
    "p-5",
    "p1e1",
    "95 percentile",
    "p95percentile",
    "pNaN",
    "constructor",
    "__proto__",
    "averages",
    "top",
    `${"9".repeat(500)}percentile`,
  ])("%p is none", (name) => expect(resolveMetric(name)).toBeUndefined());

  test("all listed names resolve", () => {
    for (const name of metricNames) expect(resolveMetric(name)).toBeDefined();
    expect(new Set(metricNames).size).toBe(metricNames.length);
  });

  test("an unsupported metric is named, with the nearest known one", () => {
    expect(errorOf(() => checkMetric("medin", "features.0.metric"))).toMatchObject({
      code: "invalid",
      details: { path: "features.0.metric" },
      message: 'features.0.metric: metric "medin" is not supported; did you mean median?',
    });
    expect(errorOf(() => checkMetric("zzzzzzzzzz", "m")).message).toContain("known metrics: count, sum,");
    expect(checkMetric("p99", "m")).toBeUndefined();
  });

  test("a percentile in another form is not named after one of another number", () => {
    const { message } = errorOf(() => checkMetric("percentile95", "m"));
    expect(message).not.toContain("did you mean");
    expect(message).toContain("95percentile");
  });
});
