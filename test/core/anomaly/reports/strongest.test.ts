// Strongest feature and detector of an anomaly: at the peak before the start, of equal ones the first.
import { expect, test } from "bun:test";
import { strongestDetector, strongestOf } from "../../../../src/core/anomaly/reports/strongest.ts";

test("the feature of the highest score at the peak, and at the start where there is no peak", () => {
  const features = { a: { score: 90 }, b: { score: 40 } };
  const peak = { a: { score: 92 }, b: { score: 99 } };
  expect(strongestOf({ peak, features })).toEqual(["b", { score: 99 }]);
  expect(strongestOf({ peak: {}, features })).toEqual(["a", { score: 90 }]);
  expect(strongestOf({ peak: {} })).toBeUndefined();
});

test("the detector that contributes most, of equal ones the first", () => {
  expect(strongestDetector({ linear: 0.2, jump: 0.4, still: 0.4 })).toBe("jump");
  expect(strongestDetector({})).toBeUndefined();
  expect(strongestDetector()).toBeUndefined();
});
