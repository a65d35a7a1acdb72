// Decision band: the range of values that raise nothing; where detectors disagree about all, that of one of them.
import { expect, test } from "bun:test";
import { findBand } from "../../../../src/models/detectors/pass/decision-band.ts";

/** A detector that takes values for as rare as they are far. */
const around = (expected: number, width: number) => ({
  expected,
  rarityOf: (value: number) => Math.abs(value - expected) / width,
  weighs: true,
});
const [near, far] = [around(10, 1), around(40, 2)];
const mean = (value: number) => (near.rarityOf(value) + far.rarityOf(value)) / 2;

test("lies where the rarity is at most the limit, around the least rare expectation", () => {
  const { expected, lower, upper } = findBand({
    rarityOf: mean,
    candidates: [near, far],
    limit: 12,
    scale: 5,
  });
  expect(expected).toBe(10);
  expect(mean(lower)).toBeCloseTo(12, 1);
  expect(mean(upper)).toBeCloseTo(12, 1);
});

test("where every value is rare, it is that of the detector to which the expectation is the most usual", () => {
  const { expected, lower, upper } = findBand({
    rarityOf: mean,
    candidates: [near, far],
    limit: 3,
    scale: 5,
  });
  expect(expected).toBe(10);
  expect(lower).toBeCloseTo(7, 1);
  expect(upper).toBeCloseTo(13, 1);
});

test("is that of no detector that has no part in what all say", () => {
  const silent = { expected: 10, rarityOf: () => 0, weighs: false };
  const { expected, upper } = findBand({
    rarityOf: mean,
    candidates: [silent, near, far],
    limit: 3,
    scale: 5,
  });
  expect(expected).toBe(10);
  expect(upper).toBeCloseTo(13, 1);
});

test("ends somewhere, whatever the values are", () => {
  const { lower, upper } = findBand({ rarityOf: () => 0, candidates: [near], limit: 3, scale: 5 });
  expect(Number.isFinite(lower) && Number.isFinite(upper)).toBe(true);
});
