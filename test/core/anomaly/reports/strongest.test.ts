// Strongest feature and detector of an anomaly: at the peak before the start, of equal scores the farthest.
import { expect, test } from "bun:test";
import { strongestDetector, strongestOf } from "../../../../src/core/anomaly/reports/strongest.ts";
import { oddityOf } from "../../../../src/core/anomaly/reports/within-band.ts";

test("the feature of the highest score at the peak, and at the start where there is no peak", () => {
  const features = { a: { score: 90 }, b: { score: 40 } };
  const peak = { a: { score: 92 }, b: { score: 99 } };
  expect(strongestOf({ peak, features })).toEqual(["b", { score: 99 }]);
  expect(strongestOf({ peak: {}, features })).toEqual(["a", { score: 90 }]);
  expect(strongestOf({ peak: {} })).toBeUndefined();
});

test("of equal scores, which end at 100, the farthest from what was expected", () => {
  const peak = {
    total: { score: 100, factor: 0.02 },
    bad: { score: 100, factor: 7.6 },
    burn: { score: 100 },
  };
  expect(strongestOf({ peak })?.[0]).toBe("bad");
});

test("a value within the band is unusual, neither too high nor too low", () => {
  const report = {
    observed: 19.3,
    lower: 18,
    upper: 20,
    type: "low",
    explanation: "unusual for the others",
  } as const;
  expect(oddityOf(report)).toBe("unusual");
  expect(oddityOf({ ...report, observed: 17 })).toBe("too low");
});

test("the detector that contributes most, of equal ones the first", () => {
  expect(strongestDetector({ linear: 0.2, jump: 0.4, still: 0.4 })).toBe("jump");
  expect(strongestDetector({})).toBeUndefined();
  expect(strongestDetector()).toBeUndefined();
});
