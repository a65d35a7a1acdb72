// Single jumps: what lies before them is moved; clean-ups and steps that go on are none.
import { expect, test } from "bun:test";
import { withoutSingleJumps } from "../../../src/core/capacity/single-jumps.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOURS = 480;
const rise = (i: number) => 20 + i / 10;

function columnOf(valueAt: (i: number) => number): Float64Array {
  const random = createRandom(4);
  return Float64Array.from({ length: HOURS }, (_, i) => valueAt(i) + 0.1 * random.normal());
}

test.each([
  ["an upload", (i: number) => (i >= 300 ? 15 : 0)],
  ["a deletion", (i: number) => (i >= 150 ? -12 : 0)],
  ["both", (i: number) => (i >= 100 ? -9 : 0) + (i >= 400 ? 14 : 0)],
])("%s", (_, jump) => {
  const column = columnOf((i) => rise(i) + jump(i));
  const moved = withoutSingleJumps(column, 24);
  const off = Array.from(moved, (value, i) => value - (rise(i) + jump(HOURS - 1)));
  expect(Math.max(...off.map(Math.abs))).toBeLessThan(1);
});

test.each([
  ["clean-ups", (i: number) => rise(i) + (i % 60) / 5],
  ["steps", (i: number) => 20 + 4 * Math.floor(i / 40)],
  ["a small step in noise", (i: number) => rise(i) + (i >= 200 ? 3 : 0)],
  ["a straight rise", rise],
])("none: %s", (_, valueAt) => {
  const column = columnOf(valueAt);
  expect(withoutSingleJumps(column, 24)).toBe(column);
});
