// Effective thresholds, the client's completed by automatic ones; and the range score.
import { expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { effectiveThresholds, falseAlarmsOf, rangeScores } from "../../../src/models/scoring/detect.ts";

const feature = { name: "x", metric: "avg", field: "x" };
/** At a minute the automatic ones are 66.7 and 33.4. */
const base: ModelSettings = { name: "m", type: "donut", features: [feature], bucket_interval: "1m" };

test.each([
  [{}, 66.7, 33.4],
  [{ max_threshold: 90, min_threshold: 20 }, 90, 20],
  [{ max_threshold: 90 }, 90, 45.1],
  [{ max_threshold: 90, min_threshold: 0 }, 90, 45.1],
  [{ min_threshold: 50 }, 66.7, 50],
  [{ min_threshold: 80 }, 80, 80],
  [{ max_threshold: 0, min_threshold: 80 }, 80, 80],
  [{ threshold: 60 }, 60, 60],
])("%j: max %p, min %p", (rest, max, min) => {
  expect(effectiveThresholds({ ...base, ...rest })).toEqual({ max, min });
});

test.each([
  [1, 66.7],
  [2, 74.7],
  [3, 76.8],
  [8, 82.6],
])("the expected false alarms are those of the model: of %p features, and all together, each has a part", (count, max) => {
  const features = Array.from({ length: count }, (_, i) => ({ ...feature, name: `x${i}` }));
  expect(effectiveThresholds({ ...base, features }).max).toBe(max);
});

test.each([
  [{}, 1],
  [{ expected_false_alarms: 3 }, 3],
  [{ features: [feature, { ...feature, name: "y" }] }, 1],
  [{ bucket_interval: "1d" }, 7 / 500],
  [{ max_threshold: 50 }, 10.08],
  [{ max_threshold: 100 }, 0],
  [{ score_scale: "sigma", max_threshold: 99 }, 100.8],
] as const)("%j: the threshold in force stands for %p a week", (rest, perWeek) => {
  const settings = { ...base, ...rest } as ModelSettings;
  const asked = falseAlarmsOf(settings, effectiveThresholds(settings).max);
  expect(asked).toBeWithin(perWeek * 0.99, perWeek * 1.01 + 1e-9);
});

test.each([
  [1, "5m", 55.1],
  [20, "5m", 76.8],
  [200, "1h", 75.4],
  [20, "1d", 45],
  [200, "1d", 52.4],
  [100_000, "1m", 95],
] as const)("%p series that share the false alarms of a fleet, every %s: max %p", (sharing_series, interval, max) => {
  expect(effectiveThresholds({ ...base, bucket_interval: interval, sharing_series }).max).toBe(max);
});

test("max alone on the sigma scale: min stays right below it", () => {
  const { max, min } = effectiveThresholds({ ...base, score_scale: "sigma", max_threshold: 99.7 });
  expect(max).toBe(99.7);
  expect(min).toBe(98.7);
});

test("range score by hand: one point of 60 among zeros, as it comes and goes", () => {
  const scores = Array.from({ length: 130 }, (_, i) => (i === 10 ? 60 : 0));
  const ranges = rangeScores(scores);
  expect(ranges[9]).toBe(0);
  // 60³ over 11 points, then over 60, then gone.
  expect(ranges[10]).toBeCloseTo(60 / Math.cbrt(11), 10);
  expect(ranges[69]).toBeCloseTo(60 / Math.cbrt(60), 10);
  expect(ranges[70]).toBe(0);
});

test("the range score of a constant score is that score; missing points are left out", () => {
  expect(rangeScores([50, undefined, 50]).map(Math.round)).toEqual([50, 50, 50]);
  expect(rangeScores([undefined, undefined])).toEqual([0, 0]);
});
