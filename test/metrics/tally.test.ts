// The most frequent value, counted in a table: any values, and as many as fit, or more.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mode } from "../../src/metrics/mode.ts";
import { findMostFrequent, MAX_TALLIED } from "../../src/metrics/tally.ts";

function countMost(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = values.reduce((max, value) => Math.max(max, counts.get(value)!), 0);
  return values.find((value) => counts.get(value) === most)! + 0;
}

test("any values, one table after the other: the first of those that come most often", () => {
  const few = fc.constantFrom(-0, 0, 1, -1, 0.1, 5e-324);
  const value = fc.oneof(few, fc.integer({ min: 0, max: 40 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 900, size: "max" }), (values) => {
      expect(findMostFrequent(Float64Array.from(values))).toBe(countMost(values));
    }),
    { numRuns: 300 },
  );
});

test.each([MAX_TALLIED, MAX_TALLIED + 1])("%d values, whether they fit the table or not", (length) => {
  const shifted = Array.from({ length }, (_, i) => ((i * 7919) % 50_021) / 7);
  const values = Float64Array.from(shifted);
  expect(mode.reduce({ times: values, values, previous: undefined })).toBe(countMost(shifted));
  // All different: the table is as full as it can be.
  const different = Float64Array.from(shifted, (_, i) => length - i);
  expect(mode.reduce({ times: different, values: different, previous: undefined })).toBe(length);
});
