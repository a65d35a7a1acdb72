// The score scale, automatic thresholds and band widths against values worked out by hand.
import { expect, test } from "bun:test";
import { automaticThresholds, probabilityOf, scoreOf } from "../../../src/models/scoring/score.ts";
import { bandWidth } from "../../../src/models/stats/normal.ts";

test.each([
  [1, 0],
  [0.1, 100 / 6],
  [0.01, 200 / 6],
  [1e-3, 50],
  [1e-6, 100],
  [1e-9, 100],
  [0, 100],
  [Number.NaN, 0],
])("probability %p scores %p", (probability, score) => {
  expect(scoreOf(probability)).toBeCloseTo(score, 6);
});

test.each([10, 50, 70])("the probability of score %p scores that again", (score) => {
  expect(scoreOf(probabilityOf(score))).toBeCloseTo(score, 9);
});

test.each([
  ["one minute", 60_000, 66.7],
  ["five minutes", 300_000, 55.1],
  ["half an hour", 1_800_000, 42.1],
  ["an hour", 3_600_000, 37.1],
])("one anomaly a week, at intervals of %s", (_, intervalMs, max) => {
  const thresholds = automaticThresholds(intervalMs);
  expect(thresholds.max).toBeCloseTo(max, 1);
  expect(thresholds.min).toBeLessThan(thresholds.max);
  expect(thresholds.min).toBeGreaterThan(0);
});

test.each([
  ["two hours", 7_200_000, 1, 37.1],
  ["half a day", 43_200_000, 1, 37.1],
  ["a day", 86_400_000, 1, 45],
  ["a week", 604_800_000, 1, 45],
  ["a day, with two a week", 86_400_000, 2, 40],
  ["a day, with 0.1 a week", 86_400_000, 0.1, 61.6],
])("a week of few points: fewer false alarms than asked, at intervals of %s", (_, intervalMs, perWeek, max) => {
  expect(automaticThresholds(intervalMs, { perWeek }).max).toBe(max);
});

test("each judge of a slow series has the rate by points, unless its part of a week is less", () => {
  const daily = (judges: number) => automaticThresholds(86_400_000, { judges }).max;
  expect([1, 9, 65].map(daily)).toEqual([45, 45, 45]);
  expect(daily(100)).toBe(47.4);
});

test("thresholds stay inside the scale at absurd intervals", () => {
  for (const intervalMs of [1, 1e12]) {
    const { min, max } = automaticThresholds(intervalMs);
    expect(max).toBeLessThanOrEqual(95);
    expect(max).toBeGreaterThanOrEqual(min);
    expect(min).toBeGreaterThan(0);
  }
});

test.each([
  [0.5, 0.6745],
  [0.6827, 1],
  [0.95, 1.95996],
  [0.9545, 2],
  [0.99, 2.57583],
  [0.9973, 3],
])("a band that holds %p of a Gaussian reaches %p deviations", (level, width) => {
  expect(bandWidth(level)).toBeCloseTo(width, 3);
});
