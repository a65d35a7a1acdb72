// Best F1 and the point adjustment, on cases small enough to do by hand.
import { expect, test } from "bun:test";
import { adjustPoints, bestF1 } from "./f1.ts";

const scored = (labels: readonly number[], scores: readonly number[]) => ({
  labels: Uint8Array.from(labels),
  scores: Float64Array.from(scores),
});

test.each([
  { name: "perfect", labels: [0, 1, 1, 0], scores: [0, 1, 1, 0], f1: 1 },
  // All four points are flagged at once: precision 1/2, recall 1, F1 = 2 * 1/2 / (3/2) = 2/3.
  { name: "constant", labels: [0, 1, 1, 0], scores: [5, 5, 5, 5], f1: 2 / 3 },
  // Top 1: P 1, R 1/2 -> 2/3. Top 2: P 1/2, R 1/2 -> 1/2. Top 3: P 2/3, R 1 -> 4/5. Top 4: P 1/2, R 1 -> 2/3.
  { name: "mixed", labels: [1, 0, 1, 0], scores: [4, 3, 2, 1], f1: 4 / 5 },
  // Worst order: only flagging everything finds it: P 1/3, R 1 -> 1/2.
  { name: "reversed", labels: [0, 0, 1], scores: [3, 2, 1], f1: 1 / 2 },
])("best F1, $name", ({ labels, scores, f1 }) => {
  expect(bestF1(scored(labels, scores))).toBeCloseTo(f1, 12);
});

test("without labels there is nothing to find", () => {
  expect(bestF1(scored([0, 0], [1, 2]))).toBeUndefined();
});

test("every point of a segment gets its highest score; others keep theirs", () => {
  const { scores } = adjustPoints(scored([0, 1, 1, 1, 0, 1], [9, 1, 7, 2, 5, 3]));
  expect([...scores]).toEqual([9, 7, 7, 7, 5, 3]);
});

test("hits later than the allowed delay do not count, not even for themselves", () => {
  const { scores } = adjustPoints(scored([0, 1, 1, 1, 0], [9, 1, 7, 8, 5]), 1);
  expect([...scores]).toEqual([9, 7, 7, 7, 5]);
  const { scores: prompt } = adjustPoints(scored([0, 1, 1, 1, 0], [9, 1, 7, 8, 5]), 0);
  expect([...prompt]).toEqual([9, 1, 1, 1, 5]);
});

test("adjusted best F1", () => {
  // One hit of 8 in a segment of three, one false point of 9: flagging >= 8 gives 3 hits and 1 false: P 3/4, R 1 -> 6/7.
  expect(bestF1(adjustPoints(scored([0, 1, 1, 1, 0], [9, 1, 8, 2, 5])))).toBeCloseTo(6 / 7, 12);
  // With no delay allowed the segment counts 1: flagging everything: P 3/5, R 1 -> 3/4.
  expect(bestF1(adjustPoints(scored([0, 1, 1, 1, 0], [9, 1, 8, 2, 5]), 0))).toBeCloseTo(3 / 4, 12);
});
