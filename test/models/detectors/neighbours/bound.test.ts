// Bound of windows: where heavy tails have one, and what it does to a spike.
import { expect, test } from "bun:test";
import { findBound } from "../../../../src/models/detectors/neighbours/bound.ts";
import { Neighbours } from "../../../../src/models/detectors/neighbours/neighbours.ts";
import { quantise } from "../../../../src/models/detectors/neighbours/quanta.ts";
import { createRandom } from "../../../../wasm/random.ts";

const location = { center: 10, scale: 2 };

/** Normal noise, and spikes of 20, 21, .. deviations. */
function withSpikes(count: number): Float64Array {
  const random = createRandom(3);
  const column = Float64Array.from({ length: 5000 }, () => 10 + 2 * random.normal());
  for (let k = 0; k < count; k++) column[100 * k] = 10 + 2 * (20 + k);
  return column;
}

test("noise has no bound, nor has a series of a few spikes", () => {
  expect(findBound(withSpikes(0), location)).toBeUndefined();
  expect(findBound(withSpikes(10), location)).toBeUndefined();
  expect(findBound(new Float64Array(), location)).toBeUndefined();
});

test("of spikes that are usual, the bound is the height that twenty reach", () => {
  expect(findBound(withSpikes(40), location)).toBe(40);
  const gaps = withSpikes(40).fill(Number.NaN, 1, 90);
  expect(findBound(gaps, location)).toBe(40);
});

test("values beyond the bound are alike, in either direction", () => {
  const values = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 5 : i % 3 === 1 ? -7 : 1));
  const bounded = new Neighbours(Float64Array.from(values.slice(0, 50), quantise), 10, 4);
  for (const z of values.slice(50)) bounded.push(z);
  expect([0, 1, 2, 20].map((age) => Math.round(bounded.recorded(age)))).toEqual([1, -4, 4, 4]);
  bounded.prepare(3);
  expect(bounded.nearest(3, 9)).toEqual(bounded.nearest(3, 4));
});
