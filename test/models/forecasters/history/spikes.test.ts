// Spikes of a history: one or two values away from both sides are replaced, levels are not.
import { expect, test } from "bun:test";
import { oddSpikes, replaceSpikes } from "../../../../src/models/forecasters/history/spikes.ts";
import { columnOf, makeColumn, makeNoise } from "../support.ts";

/** Noise around 50, with other values from an index on. */
function calmWith(at: number, ...values: number[]): { calm: Float64Array; changed: Float64Array } {
  const noise = makeNoise(11);
  const calm = makeColumn(60, () => 50 + noise());
  const changed = calm.slice();
  changed.set(values, at);
  return { calm, changed };
}

test.each([
  ["one value", 30, [500], [30]],
  ["one value downwards", 30, [-400], [30]],
  ["two values", 30, [500, 510], [30, 31]],
  ["the last value", 59, [500], [59]],
  ["the last two values", 58, [500, 510], [58, 59]],
  ["the value before the last", 58, [500], [58]],
  ["the second value", 1, [500], [1]],
  ["the first value", 0, [500], [0]],
] as const)("%s away from its neighbours is replaced by what they say", (_, at, values, replaced) => {
  const { calm, changed } = calmWith(at, ...values);
  const clean = replaceSpikes(changed);
  for (const i of calm.keys())
    if ((replaced as readonly number[]).includes(i)) expect(clean[i]!).toBeWithin(44, 56);
    else expect(clean[i]!).toBe(changed[i]!);
});

test.each([
  ["three values in a row", 30, [500, 501, 499]],
  ["three values at the end", 57, [500, 501, 499]],
  ["a value within the noise", 30, [53]],
] as const)("%s are kept", (_, at, values) => {
  const { changed } = calmWith(at, ...values);
  expect(replaceSpikes(changed)).toEqual(changed);
});

test("a step, and a line, are kept", () => {
  const noise = makeNoise(12);
  const step = makeColumn(60, (i) => (i < 40 ? 10 : 90) + noise());
  expect(replaceSpikes(step)).toEqual(step);
  const line = makeColumn(60, (i) => 3 * i + noise());
  expect(replaceSpikes(line)).toEqual(line);
});

test("a spike at the end of a line is replaced by the line", () => {
  const noise = makeNoise(13);
  const line = makeColumn(60, (i) => (i === 59 ? 0 : 3 * i + noise()));
  expect(replaceSpikes(line)[59]!).toBeWithin(3 * 59 - 4, 3 * 59 + 4);
});

test("missing values stay, and do not part neighbours", () => {
  const { changed } = calmWith(30, 500);
  changed.fill(Number.NaN, 25, 30);
  const clean = replaceSpikes(changed);
  expect(clean[30]!).toBeWithin(44, 56);
  expect(Array.from(clean.keys()).filter((i) => Number.isNaN(clean[i]!))).toEqual([25, 26, 27, 28, 29]);
});

test.each([
  ["nothing", []],
  ["missing values", [Number.NaN, Number.NaN]],
  ["a constant", [7, 7, 7, 7, 7, 7]],
  ["three values", [1, 100, 1]],
] as const)("%s comes back as it was", (_, values) => {
  expect(Array.from(replaceSpikes(columnOf(...values)))).toEqual([...values]);
});

test.each([
  ["the last value", 59, [500], [59]],
  ["two of the last three", 57, [500, 50, -400], [57, 59]],
  ["an earlier one", 30, [500], [30]],
  ["none of eight deviations, which a season may leave", 59, [54.5], []],
] as const)("odd spikes: %s", (_, at, values, found) => {
  expect(oddSpikes(calmWith(at, ...values).changed, [])).toEqual([...found]);
});

test("what comes a cycle later, too, or often, is no odd spike", () => {
  const { changed } = calmWith(59, 500);
  changed[49] = 480;
  expect(oddSpikes(changed, [20])).toEqual([49, 59]);
  expect(oddSpikes(changed, [10])).toEqual([]);
  for (const i of [8, 17, 26, 35]) changed[i] = 500;
  expect(oddSpikes(changed, [20])).toEqual([]);
});

test("a gap counts for the line through the values before the last ones", () => {
  const noise = makeNoise(8);
  const rising = makeColumn(60, (i) => (i >= 46 && i < 58 ? Number.NaN : 2 * i + 0.3 * noise()));
  expect(replaceSpikes(rising)).toBe(rising);
});
