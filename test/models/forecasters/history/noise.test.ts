// Noise of values: that of independent ones, whatever their trend.
import { expect, test } from "bun:test";
import { noiseOf } from "../../../../src/models/forecasters/history/noise.ts";
import { columnOf, makeColumn, makeNoise } from "../support.ts";

test("the noise is that of independent values, whatever the trend", () => {
  const noise = makeNoise(14);
  expect(noiseOf(makeColumn(4000, (i) => 10 * i + 3 * noise()))).toBeWithin(2.8, 3.2);
  expect(noiseOf(makeColumn(50, (i) => 10 * i))).toBe(0);
  expect(noiseOf(columnOf(1, 5))).toBe(0);
});
