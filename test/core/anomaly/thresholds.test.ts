// Completion of thresholds, with results worked out by hand.
import { expect, test } from "bun:test";
import { completeThresholds, withMax } from "../../../src/core/anomaly/state.ts";

const base = { max: 70, min: 35 };

test.each([
  ["nothing", {}, base],
  ["both", { max: 90, min: 80 }, { max: 90, min: 80 }],
  ["max alone: min keeps its share", { max: 90 }, { max: 90, min: 45 }],
  ["min alone, below max", { min: 50 }, { max: 70, min: 50 }],
  ["min alone, above max", { min: 80 }, { max: 80, min: 80 }],
])("%s", (_, given, expected) => {
  expect(completeThresholds(given, base)).toEqual(expected);
});

test("min is never above max, nor rounded away", () => {
  expect(withMax({ max: 99.99, min: 99 }, 0.96)).toEqual({ max: 0.96, min: 0.96 });
  expect(withMax(base, 0.05).min).toBeCloseTo(0.025, 10);
});
