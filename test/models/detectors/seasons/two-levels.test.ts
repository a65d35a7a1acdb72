// Two levels: compressors and switches have them, with noise and with means of intervals in which they change; others do not.
import { expect, test } from "bun:test";
import { findTwoLevels } from "../../../../src/models/detectors/seasons/two-levels.ts";
import { createRandom, type Random } from "../../../../wasm/random.ts";

function sorted(valueAt: (i: number, random: Random) => number): Float64Array {
  const random = createRandom(1);
  return Float64Array.from({ length: 5000 }, (_, i) => valueAt(i, random)).sort();
}

test.each<[string, (i: number, random: Random) => number]>([
  ["without noise", (i) => (i % 42 < 15 ? 120 : 3)],
  ["with noise", (i, random) => (i % 42 < 15 ? 120 : 3) + 8 * random.normal()],
  ["that are rarely high", (i, random) => (i % 20 === 0 ? 120 : 3) + random.normal()],
  ["with a mean of both now and then", (i) => (i % 42 < 14 ? 120 : i % 42 === 14 ? 60 : 3)],
  [
    "with a few values above them",
    (i, random) => (i % 500 === 0 ? 400 : i % 42 < 15 ? 120 : 3) + random.normal(),
  ],
])("levels %s", (_, valueAt) => {
  const { lower, upper } = findTwoLevels(sorted(valueAt))!;
  expect([Math.round(lower / 10), Math.round(upper / 10)]).toEqual([0, 12]);
});

test.each<[string, (i: number, random: Random) => number]>([
  ["noise", (_, random) => random.normal()],
  ["values of one kind", (_, random) => random.uniform()],
  ["a wave", (i) => Math.sin(i / 40)],
  ["a constant", () => 7],
  ["counts", (_, random) => random.below(3)],
  ["levels that noise joins", (i, random) => (i % 2) * 4 + random.normal()],
  ["spikes", (i) => (i % 100 === 0 ? 50 : 1)],
  ["a rise", (i) => i],
])("none of %s", (_, valueAt) => expect(findTwoLevels(sorted(valueAt))).toBeUndefined());

test("none of values so far apart that their distance is infinite", () => {
  const column = sorted((i) => (i % 3 ? -1 : 1) * 1.5e308);
  expect(findTwoLevels(column)).toBeUndefined();
});

test("none of no value", () => expect(findTwoLevels(new Float64Array())).toBeUndefined());
