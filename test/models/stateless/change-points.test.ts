// Change points: changes of level and slope are found where they are; noise, seasons, spikes and trends are none.
import { expect, test } from "bun:test";
import { type ChangePointInput, scoreChanges } from "../../../src/models/stateless/change-points.ts";
import { makeSeries, signal, wave } from "./support.ts";

const DAY = 24;
/** Confidence of evidence that one series without changes in a thousand has. */
const CONFIDENCE = 0.1;

/** Points with some confidence. */
async function findChanges(column: Float64Array, over: Partial<ChangePointInput> = {}): Promise<number[]> {
  const scores = await scoreChanges({ column, period: 0, ...over }, signal);
  return [...scores.keys()].filter((i) => scores[i]! > CONFIDENCE);
}

const steady: [string, Float64Array, number?][] = [
  ["noise", makeSeries(400, (_i, noise) => noise)],
  ["noise of another seed", makeSeries(400, (_i, noise) => noise, 7)],
  ["a constant", makeSeries(400, () => 5)],
  ["zeros", makeSeries(400, () => 0)],
  ["a season", makeSeries(400, (i, noise) => wave(i, DAY) + noise), DAY],
  ["an exact season", makeSeries(400, (i) => wave(i, DAY)), DAY],
  ["a trend", makeSeries(400, (i, noise) => i / 2 + noise)],
  ["growth", makeSeries(400, (i, noise) => 100 * Math.exp(i / 200) + noise)],
  ["spikes", makeSeries(400, (i, noise) => noise + (i % 97 === 50 ? 30 : 0))],
  ["a stretch of a few points", makeSeries(400, (i, noise) => noise + (i >= 200 && i < 204 ? 15 : 0))],
  ["a spike of two points", makeSeries(400, (i, noise) => noise + (i === 200 || i === 201 ? 30 : 0))],
  ["huge values", makeSeries(400, (_i, noise) => 1e99 * (9 + noise / 10))],
  ["a random walk", makeSeries(400, walk())],
];
test.each(steady)("%s: no change", async (_name, column, period = 0) => {
  expect(await findChanges(column, { period })).toEqual([]);
});

function walk(): (i: number, noise: number) => number {
  let at = 0;
  return (_i, noise) => (at += noise);
}

test("of 50 series of noise that depends on itself, hardly one has a change", async () => {
  let changed = 0;
  for (let seed = 1; seed <= 50; seed++) {
    let state = 0;
    const column = makeSeries(300, (_i, noise) => (state = 0.8 * state + noise), seed);
    if ((await findChanges(column)).length > 0) changed++;
  }
  expect(changed).toBeLessThanOrEqual(2);
});

const after = (at: number, i: number) => Number(i >= at);
const changing: [string, Float64Array, number[], number?][] = [
  ["a new level", makeSeries(400, (i, noise) => noise + 8 * after(240, i)), [240]],
  ["a lower level", makeSeries(400, (i, noise) => noise - 8 * after(240, i)), [240]],
  ["an exact new level", makeSeries(400, (i) => after(240, i)), [240]],
  ["a new level under a season", makeSeries(400, (i, n) => wave(i, DAY) + n + 9 * after(240, i)), [240], DAY],
  ["a new level on a trend", makeSeries(400, (i, noise) => i / 4 + noise + 9 * after(240, i)), [240]],
  [
    "two levels and back",
    makeSeries(400, (i, noise) => noise + 9 * after(120, i) - 9 * after(260, i)),
    [120, 260],
  ],
  ["few points", makeSeries(12, (i, noise) => noise / 10 + 9 * after(6, i)), [6]],
];
test.each(changing)("%s is found", async (_name, column, expected, period = 0) => {
  const found = await findChanges(column, { period });
  expect(found).toHaveLength(expected.length);
  for (const [k, at] of expected.entries()) expect(Math.abs(found[k]! - at)).toBeLessThanOrEqual(1);
});

test("a new slope is found near its start", async () => {
  const column = makeSeries(400, (i, noise) => noise / 2 + Math.max(0, i - 240) / 2);
  const [at, ...more] = await findChanges(column);
  expect(more).toEqual([]);
  expect(Math.abs(at! - 240)).toBeLessThan(12);
});

test("missing points do no harm", async () => {
  const column = makeSeries(400, (i, noise) => (i % 7 === 3 ? Number.NaN : noise + 8 * after(240, i)));
  const [at, ...more] = await findChanges(column);
  expect([more, Math.abs(at! - 240) <= 2]).toEqual([[], true]);
  expect(await findChanges(column.map(() => Number.NaN))).toEqual([]);
});

test("the more points have to be stable, the fewer changes are", async () => {
  const column = makeSeries(400, (i, noise) => noise / 4 + 9 * after(200, i) - 9 * after(215, i));
  expect(await findChanges(column, { window: 10 })).toEqual([200, 215]);
  expect(await findChanges(column, { window: 100 })).toEqual([]);
});

test("ends without a whole window have no confidence", async () => {
  const column = makeSeries(400, (i, noise) => noise + 9 * after(390, i));
  expect(await findChanges(column, { window: 20 })).toEqual([]);
  expect(await findChanges(column, { window: 250 })).toEqual([]);
});

test("a week is a season where it is one", async () => {
  const weekend = (i: number) => Number(i % (7 * DAY) >= 5 * DAY);
  const column = makeSeries(6 * 7 * DAY, (i, noise) => wave(i, DAY) - 15 * weekend(i) + noise);
  expect(await findChanges(column, { period: DAY, week: 7 * DAY })).toEqual([]);
});
