// The range score: a power mean over the last sixty points.
import { expect, test } from "bun:test";
import { rangeScores } from "../../../src/models/scoring/range-score.ts";

test("hand-computed: one point of 60 among zeros, as it comes and goes", () => {
  const scores = Array.from({ length: 130 }, (_, i) => (i === 10 ? 60 : 0));
  const ranges = rangeScores(scores);
  expect(ranges[9]).toBe(0);
  // 60³ over 11 points, then over 60, then gone.
  expect(ranges[10]).toBeCloseTo(60 / Math.cbrt(11), 10);
  expect(ranges[69]).toBeCloseTo(60 / Math.cbrt(60), 10);
  expect(ranges[70]).toBe(0);
});

test("a constant score is its own range; missing points are left out", () => {
  expect(rangeScores([50, undefined, 50]).map(Math.round)).toEqual([50, 50, 50]);
  expect(rangeScores([undefined, undefined])).toEqual([0, 0]);
});
