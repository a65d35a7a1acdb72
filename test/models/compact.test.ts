// Compact parameters: precision relative to the deviation, whole numbers as they are.
import { expect, test } from "bun:test";
import { compact, digitsFor } from "../../src/models/compact.ts";
import { fitTail, tailProbability } from "../../src/models/stats/tail.ts";
import { createRandom } from "../../wasm/random.ts";

const plain = { magnitude: 1, deviation: 1 };

test.each([
  [1, 1, 7],
  [0.001, 5, 7],
  [1e9, 1, 16],
  [1e20, 1, 17],
  [0, 0, 17],
])("values up to %p with a deviation of %p need %p digits", (magnitude, deviation, digits) => {
  expect(digitsFor(magnitude, deviation)).toBe(digits);
});

test("fractions are rounded, whole numbers and texts are kept", () => {
  const value = { endAt: 1_700_000_000_123, list: [1 / 3, { deep: 2 / 3 }], text: "a", no: null, yes: true };
  expect(compact(value, plain)).toEqual({ ...value, list: [0.3333333, { deep: 0.6666667 }] });
});

test("usual values keep the ten-thousandth of a deviation, however large they are", () => {
  const precision = { magnitude: 1e6, deviation: 5 };
  const value = { effects: [[123_456.789_012, 1 / 3, 0.001_234]], scale: 4.123_456_789_012_3 };
  const { effects, scale } = compact(value, precision);
  expect(effects).toEqual([[123_456.789, 0.333, 0.001]]);
  expect(scale).toBe(4.123_456_789_012);
});

test("half of the quantiles rank points as all of them do", () => {
  const random = createRandom(1);
  const tail = fitTail(Float64Array.from({ length: 5000 }, () => random.normal() ** 2));
  const half = compact(tail, plain);
  expect(half.quantiles).toHaveLength(100);
  for (const statistic of [0.01, 0.5, 1, 3, 6, 12])
    expect(Math.abs(tailProbability(half, statistic) - tailProbability(tail, statistic))).toBeLessThan(0.011);
});
