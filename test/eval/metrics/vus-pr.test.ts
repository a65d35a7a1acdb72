// VUS-PR: fading labels and the area under each buffer's curve, by hand.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { aucPr } from "./auc-pr.ts";
import { findSegments } from "./scored.ts";
import { extendLabels, vusPr } from "./vus-pr.ts";

const toScored = (labels: number[], scores: number[]) => ({
  labels: Uint8Array.from(labels),
  scores: Float64Array.from(scores),
});

function fade(labels: number[], buffer: number) {
  const own = Uint8Array.from(labels);
  const { weights, positives } = extendLabels(own, findSegments(own), buffer);
  return { weights: [...weights], positives };
}

test("labels fade over half a buffer on both sides", () => {
  // buffer 4 reaches 2 points: sqrt(1 - 1/4) and sqrt(1 - 2/4).
  const [near, far] = [Math.sqrt(3 / 4), Math.sqrt(1 / 2)];
  const { weights, positives } = fade([0, 0, 0, 1, 1, 0, 0, 0], 4);
  expect(weights).toEqual([0, far, near, 1, 1, near, far, 0]);
  // The mean of the plain sum, 2, and of the faded one.
  expect(positives).toBeCloseTo((2 + 2 + 2 * (near + far)) / 2, 12);
});

test.each([0, 1])("a buffer of %p reaches nowhere", (buffer) => {
  expect(fade([0, 1, 0], buffer)).toEqual({ weights: [0, 1, 0], positives: 1 });
});

test("ends of the series cut the fading; where two fade into each other, weights add up to 1 at most", () => {
  // buffer 2 reaches 1 point with sqrt(1/2); between the two segments 2 * 0.707 would be more than 1.
  const half = Math.SQRT1_2;
  expect(fade([1, 0, 1, 0, 0], 2).weights.map((w) => Number(w.toFixed(6)))).toEqual([
    1,
    1,
    1,
    Number(half.toFixed(6)),
    0,
  ]);
});

test("one segment, one buffer, by hand", () => {
  // Buffer 2 alone: weights [w, 1, w, 0] with w = 0.7071, positives = (1 + 1 + 2w) / 2 = 1 + w.
  // Falling threshold: the segment's point: recall 1 / (1 + w), precision 1; the point after it: recall 1 (as hits are
  // 1 + w), precision (1 + w) / 2; the rest adds nothing, recall is full.
  const w = Math.SQRT1_2;
  const labels = [0, 1, 0, 0];
  const scores = [2, 4, 3, 1];
  const buffer2 = 1 / (1 + w) + (1 - 1 / (1 + w)) * ((1 + w) / 2);
  // Buffers 0 and 1 are plain average precision: the labelled point comes first, so 1.
  expect(vusPr(toScored(labels, scores), 2)).toBeCloseTo((1 + 1 + buffer2) / 3, 12);
});

test("recall counts by the share of segments touched", () => {
  // Two segments of one point, buffer 0. First hit: recall 1/2 times existence 1/2 = 1/4 at precision 1; then a miss;
  // then the second: recall 1 at precision 2/3: 1/4 + 3/4 * 2/3 = 3/4.
  expect(vusPr(toScored([1, 0, 0, 1], [4, 3, 1, 2]), 0)).toBeCloseTo(3 / 4, 12);
});

test("sane at the edges", () => {
  const labels = Array.from({ length: 400 }, (_, i) => (i >= 100 && i < 140 ? 1 : 0));
  expect(vusPr(toScored(labels, labels), 0)).toBe(1);
  expect(vusPr(toScored(labels, new Array(400).fill(3)), 0)).toBeCloseTo(0.1, 12);
  // A score that fades as the labels do is better than one that stops at their edge, and both are far above chance.
  const fading = labels.map(
    (label, i) => label || Math.exp(-Math.min(Math.abs(i - 100), Math.abs(i - 139)) / 20),
  );
  const [sharp, soft] = [labels, fading].map((scores) => vusPr(toScored(labels, scores), 60)!);
  expect(soft!).toBeGreaterThan(sharp!);
  expect(sharp!).toBeGreaterThan(0.7);
  expect(soft!).toBeLessThanOrEqual(1);
  expect(vusPr(toScored([0, 0], [1, 2]))).toBeUndefined();
});

test("with one segment and no buffer it is the area under the plain curve with recall as it is", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 8 }), (values, from) => {
      const labels = values.map((_, i) => (i >= from && i < from + 3 ? 1 : 0));
      const scored = toScored(labels, values);
      // One segment: it is touched from the first hit on, so existence changes nothing.
      expect(vusPr(scored, 0)!).toBeCloseTo(aucPr(scored)!, 12);
    }),
  );
});
