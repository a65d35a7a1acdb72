// Histogram of magnitudes: shares, the limit of evidence, and how it forgets.
import { expect, test } from "bun:test";
import { addMagnitudes, shareAbove, weightOf } from "../../../src/models/stats/rank-histogram.ts";

const uniform = Array.from({ length: 10_000 }, (_, i) => (i + 1) / 100);

test("the share of magnitudes above is about that of the sample", () => {
  const histogram = addMagnitudes([], uniform);
  for (const [magnitude, share] of [
    [1, 0.99],
    [50, 0.5],
    [90, 0.1],
  ] as const)
    expect(Math.abs(shareAbove(histogram, magnitude) - share)).toBeLessThan(0.08);
});

test("a magnitude that was never seen is as rare as the number of values can show", () => {
  expect(shareAbove(addMagnitudes([], uniform), 1e9)).toBeCloseTo(1e-4, 5);
  expect(shareAbove([], 5)).toBe(0.5);
});

test("magnitudes of 0 and below the scale are counted", () => {
  expect(shareAbove(addMagnitudes([], [0, 0, 0, 1e-9]), 1)).toBeCloseTo(1 / 6);
});

test("old values count less: the weight is bounded, and new ones take over", () => {
  let histogram = addMagnitudes([], []);
  for (let i = 0; i < 30; i++) histogram = addMagnitudes(histogram, uniform);
  expect(weightOf(histogram)).toBeLessThanOrEqual(210_000);
  for (let i = 0; i < 60; i++) histogram = addMagnitudes(histogram, new Array(10_000).fill(1000));
  expect(shareAbove(histogram, 1000)).toBeGreaterThan(0.9);
});
