// mode: the first of the most frequent values, of any values.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mode } from "../../src/metrics/mode.ts";
import { roundsOf } from "../support/rounds.ts";

function modeOf(values: Float64Array): number {
  return mode.reduce({ times: values, values, previous: undefined });
}

function countMost(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = values.reduce((max, value) => Math.max(max, counts.get(value)!), 0);
  return values.find((value) => counts.get(value) === most)! + 0;
}

test("any values: the first of those that occur most often; the values stay as they are", () => {
  const few = fc.constantFrom(-0, 0, 1, -1, 0.1, 5e-324);
  const value = fc.oneof(few, fc.integer({ min: 0, max: 40 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 900, size: "max" }), (list) => {
      const values = Float64Array.from(list);
      expect(modeOf(values)).toBe(countMost(list));
      expect([...values]).toEqual(list);
    }),
    { numRuns: roundsOf(300) },
  );
});

test("many values, with duplicates and all different", () => {
  const length = 100_000;
  const shifted = Array.from({ length }, (_, i) => ((i * 7919) % 50_021) / 7);
  expect(modeOf(Float64Array.from(shifted))).toBe(countMost(shifted));
  expect(modeOf(Float64Array.from(shifted, (_, i) => length - i))).toBe(length);
});
