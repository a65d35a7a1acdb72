// Mean of the present values.
import { expect, test } from "bun:test";
import { meanOf } from "../../../src/models/stats/mean.ts";

test.each([
  [[1, 2, 6], 3],
  [[Number.NaN, 4, Number.POSITIVE_INFINITY, 6], 5],
  [[], Number.NaN],
  [[Number.NaN], Number.NaN],
])("of %p is %p", (values, mean) => {
  expect(meanOf(values)).toBe(mean);
  expect(meanOf(Float64Array.from(values))).toBe(mean);
});
