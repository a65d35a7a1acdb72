// Outlier bounds and limits, hardly moved by the outliers.
import { describe, expect, test } from "bun:test";
import { clipForTraining, measure, standardise } from "../../../src/models/series.ts";
import { clampToBounds, outlierBounds, outlierLimit } from "../../../src/models/stats/outliers.ts";
import { createRandom } from "../../../wasm/random.ts";

const random = createRandom(31);
const LENGTH = 4000;
const clean = Float64Array.from({ length: LENGTH }, () => 50 + 3 * random.normal());
/** Every `every`th point moved by `by`. */
const moved = (every: number, by: number) => clean.map((value, i) => (i % every === 7 ? value + by : value));

describe("location and scale", () => {
  test("of clean data are mean and standard deviation, to the last bit", () => {
    const mean = clean.reduce((sum, value) => sum + value, 0) / LENGTH;
    const deviation = Math.sqrt(clean.reduce((sum, value) => sum + (value - mean) ** 2, 0) / LENGTH);
    expect(measure(clean).mean).toBeCloseTo(mean, 9);
    expect(measure(clean).deviation).toBeCloseTo(deviation, 9);
  });

  test.each([
    ["20 deviations", 60],
    ["200 deviations", 600],
    ["a million deviations", 3e6],
  ])("one point in fifty off by %s moves the scale by less than a third, whatever the size", (_, by) => {
    const { mean, deviation } = measure(moved(50, by));
    expect(Math.abs(mean - 50)).toBeLessThan(0.6);
    expect(deviation / 3).toBeLessThan(1.35);
  });

  test.each([
    ["a mostly constant column", Float64Array.from({ length: LENGTH }, (_, i) => (i % 30 === 0 ? 8 : 0))],
    ["a handful of values", Float64Array.of(1, 1, 1, 1, 900)],
    ["nothing", new Float64Array(0)],
  ])("%s has no outliers", (_, column) => {
    expect(outlierBounds(column)).toEqual({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  });

  test("a value beyond becomes the bound", () => {
    const bounds = { low: -1, high: 2 };
    expect([-5, -1, 0, 2, 7].map((value) => clampToBounds(value, bounds))).toEqual([-1, -1, 0, 2, 2]);
  });
});

test("the network is trained on values within eight deviations, and masks stay", () => {
  const series = standardise(Float64Array.of(0, 20, -30, Number.NaN, 5), { mean: 0, deviation: 1 });
  const { values, observed } = clipForTraining(series);
  expect(Array.from(values)).toEqual([0, 8, -8, 0, 5]);
  expect(Array.from(observed)).toEqual([1, 1, 1, 0, 1]);
  expect(Array.from(series.values)).toEqual([0, 20, -30, 0, 5]);
});

describe("statistics that are no part of normal", () => {
  const statistics = clean.map((value) => Math.abs(value - 50) / 3);
  const spoilt = (every: number, size: number) =>
    statistics.map((value, i) => (i % every === 7 ? size : value));

  test("clean data have none", () => {
    expect(outlierLimit(statistics, 9)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    ["a single one", 4000, 20],
    ["one in fifty", 50, 12],
    ["one in twenty", 20, 9],
  ])("%s is found: the limit lies between the bulk and it", (_, every, size) => {
    const limit = outlierLimit(spoilt(every, size), 9);
    expect(limit).toBeGreaterThan(5);
    expect(limit).toBeLessThan(size);
  });

  test.each([
    ["one in five is what the series looks like", spoilt(5, 12)],
    ["too few points to say", spoilt(50, 12).subarray(0, 40)],
    ["no spread to measure by", new Float64Array(1000).fill(2)],
  ])("%s", (_, list) => {
    expect(outlierLimit(Float64Array.from(list), 9)).toBe(Number.POSITIVE_INFINITY);
  });

  test("missing ones do not count", () => {
    const gaps = spoilt(50, 12).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
    expect(outlierLimit(gaps, 9)).toBeLessThan(12);
  });
});
