// The NAB score on files small enough to do by hand.
import { expect, test } from "bun:test";
import { nabScore, nabShare, probationOf, sigma } from "./nab.ts";

const EARLY = sigma(-1);

function file(labels: number[], scores: number[], probation = 0) {
  return { labels: Uint8Array.from(labels), scores: Float64Array.from(scores), probation };
}

test.each([
  [-1, 0.986614],
  [-0.5, 0.848284],
  [0, 0],
  [1, -0.986614],
  [3, -0.999999],
  [Number.POSITIVE_INFINITY, -1],
])("sigma(%p) = %p", (y, expected) => {
  expect(sigma(y)).toBeCloseTo(expected, 6);
});

test.each([
  [100, 15],
  [1243, 186],
  [5000, 750],
  [22_000, 750],
])("of %p points the first %p are probation", (length, expected) => {
  expect(probationOf(length)).toBe(expected);
});

test("the left edge of every window and no false positive: 100", () => {
  const files = [file([0, 0, 1, 1, 1, 0], [0, 0, 9, 0, 0, 0]), file([1, 1, 0, 1, 1], [9, 0, 0, 9, 0])];
  const result = nabScore(files)!;
  expect(result).toMatchObject({ windows: 3, found: 3, falsePositives: 0, threshold: 9 });
  expect(result.score).toBeCloseTo(100, 9);
});

test("nothing worth detecting: 0, by not detecting", () => {
  // The only high point is a false positive, and all else has one score: flagging all costs more than it earns.
  const labels = [...new Array(60).fill(0), 1, 1];
  const result = nabScore([
    file(
      labels,
      labels.map((_, i) => (i === 0 ? 5 : 1)),
    ),
  ])!;
  expect(result).toMatchObject({
    score: 0,
    found: 0,
    falsePositives: 0,
    threshold: Number.POSITIVE_INFINITY,
  });
});

test("late detection and false positives, by hand", () => {
  // Window of three points, 2..4. A hit at its middle: y = -1/2, worth sigma(-1/2) = 0.848284.
  // A false positive before any window costs 0.11; one at distance 2 after it (y = 2/2 = 1) costs 0.11 * 0.986614.
  const labels = [0, 0, 1, 1, 1, 0, 0];
  const total = sigma(-0.5) - 0.11 + 0.11 * sigma(1);
  const result = nabScore([file(labels, [9, 0, 0, 9, 0, 0, 9])])!;
  expect(result).toMatchObject({ found: 1, falsePositives: 2, threshold: 9 });
  expect(result.score).toBeCloseTo((100 * (total + 1)) / (EARLY + 1), 9);
});

test("of several detections in a window the earliest counts, whichever has the higher score", () => {
  // At threshold 9 only the right edge (worth 0), at threshold 8 the left edge too: the lower threshold is better.
  const result = nabScore([file([0, 1, 1, 1], [0, 8, 0, 9])])!;
  expect(result).toMatchObject({ threshold: 8, found: 1 });
  expect(result.score).toBeCloseTo(100, 9);
});

test("one threshold for all files", () => {
  // The first file would want 2, the second 9, where its false positives of 3 lie below. At 2: both windows at the left
  // edge, 10 false positives before the window: 2 * EARLY - 1.1. At 9: EARLY - 1.
  const many = file([...new Array(10).fill(0), 1, 1], [...new Array(10).fill(3), 9, 0]);
  const result = nabScore([file([0, 1, 1], [0, 2, 0]), many])!;
  expect(result.threshold).toBe(2);
  expect(result.score).toBeCloseTo((100 * (2 * EARLY - 1.1 + 2)) / (2 * EARLY + 2), 9);
  const more = file([...new Array(30).fill(0), 1, 1], [...new Array(30).fill(3), 9, 0]);
  // With 30 of them (3.3) it is better to miss the first window.
  expect(nabScore([file([0, 1, 1], [0, 2, 0]), more])).toMatchObject({
    threshold: 9,
    found: 1,
    falsePositives: 0,
  });
});

test("probation: its points and windows do not count; a window that reaches out of it does", () => {
  expect(nabScore([file([1, 1, 0, 0], [9, 9, 0, 0], 2)])).toBeUndefined();
  // The window's left edge lies in probation; its second of three points is the first that can be a detection.
  const result = nabScore([
    file(
      [9, 1, 1, 1, 0].map((l) => Number(l === 1)),
      [9, 9, 9, 0, 0],
      2,
    ),
  ])!;
  expect(result).toMatchObject({ windows: 1, found: 1, falsePositives: 0 });
  expect(result.score).toBeCloseTo((100 * (sigma(-0.5) + 1)) / (EARLY + 1), 9);
});

test("shares of the files add up to the corpus", () => {
  const files = [
    file([0, 0, 1, 1, 0, 0], [5, 1, 2, 6, 7, 1]),
    file([1, 1, 0, 0, 1, 1], [3, 6, 6, 1, 2, 9], 1),
  ];
  const result = nabScore(files)!;
  const shares = files.map((one) => nabShare(one, result.threshold));
  const sum = (pick: (share: (typeof shares)[0]) => number) =>
    shares.reduce((total, share) => total + pick(share), 0);
  expect(sum(({ windows }) => windows)).toBe(result.windows);
  expect(sum(({ found }) => found)).toBe(result.found);
  expect(sum(({ falsePositives }) => falsePositives)).toBe(result.falsePositives);
  const score = (100 * (sum(({ total }) => total) + result.windows)) / (result.windows * (EARLY + 1));
  expect(score).toBeCloseTo(result.score, 9);
});
