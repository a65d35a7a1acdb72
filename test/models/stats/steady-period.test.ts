// Steadiness of a period: of a season of the clock, and of cycles of uneven length.
import { expect, test } from "bun:test";
import { detectPeriod } from "../../../src/models/stats/period.ts";
import { isSteady } from "../../../src/models/stats/steady-period.ts";
import { createRandom } from "../../../wasm/random.ts";
import { makeSeries, wave } from "../stateless/support.ts";

/** Pulses of 12 intervals every 37, each shorter or longer by a share. */
function pulses(spread: number): Float64Array {
  const random = createRandom(3);
  const lengthOf = (mean: number) => Math.round(mean * (1 + spread * random.normal()));
  const values: number[] = [];
  while (values.length < 5000)
    for (const [level, mean] of [
      [800, 12],
      [3, 25],
    ] as const)
      values.push(...Array.from({ length: lengthOf(mean) }, () => level + random.normal()));
  return Float64Array.from(values);
}

test.each([
  ["a wave", makeSeries(2000, (i, noise) => wave(i, 37) + 3 * noise), 37],
  ["a wave that grows", makeSeries(2000, (i, noise) => (i / 500) * wave(i, 37) + noise), 37],
  ["even pulses", pulses(0), 37],
  ["three cycles", makeSeries(111, (i, noise) => wave(i, 37) + noise), 37],
] as [string, Float64Array, number][])("%s is steady", (_name, column, period) => {
  expect(isSteady(column, period)).toBe(true);
});

test("pulses of uneven length are not", () => {
  const column = pulses(0.1);
  const { period } = detectPeriod(column);
  expect(isSteady(column, period || 37)).toBe(false);
});
