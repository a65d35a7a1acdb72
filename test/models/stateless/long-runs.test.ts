// Long runs: what is stuck or has stopped is found, and what rests, recurs, or may be a habit is left alone.
import { describe, expect, test } from "bun:test";
import { findLongRuns, severityOf } from "../../../src/models/stateless/long-runs.ts";
import { createRandom } from "../../../wasm/random.ts";
import { makeSeries, wave } from "./support.ts";

const DAY = 288;
const runsIn = (column: Float64Array) =>
  findLongRuns({ column, day: DAY, maxAnomalyRatio: 0.25 }).map(({ from, to, at, usual }) => [
    from,
    to,
    at,
    usual,
  ]);
/** `make` as it is, with one value from 1500 to 1560. */
const stuck = (make: (i: number, noise: number) => number, at = 1500, length = 4000) => {
  const column = makeSeries(length, make);
  return column.fill(column[at]!, at, at + 60);
};
const temperature = (i: number, noise: number) => 20 + wave(i, 288) / 5 + 0.2 * noise;
/** On for 5 of 20 points, from `from` to `to` at `value`. */
const pulses = (from: number, to: number, value: number) =>
  makeSeries(4000, (i, noise) => (i >= from && i < to ? value : i % 20 < 5 ? 90 : 2) + noise);

describe("found is", () => {
  test.each([
    ["a sensor that is stuck", stuck(temperature), [1500, 1560, "value", 1]],
    [
      "one that rounds",
      stuck((i, noise) => Math.round(10 * temperature(i, noise)) / 10),
      [1500, 1560, "value"],
    ],
    ["a count that is stuck", stuck((_, noise) => Math.round(30 + 5 * noise)), [1500, 1560, "value"]],
    ["a pulse that stays on", pulses(1505, 1580, 90), [1500, 1585, "level", 5]],
    ["pulses that stop", pulses(1500, 1600, 2), [1485, 1600, "level", 15]],
  ] as const)("%s", (_name, column, expected) => {
    const found = runsIn(column);
    expect(found).toHaveLength(1);
    expect(found[0]!.slice(0, expected.length)).toEqual([...expected]);
  });

  test("a value that is stuck at several times, at another level each", () => {
    const column = stuck(temperature).fill(21.5, 2000, 2100).fill(18.5, 3000, 3030);
    expect(runsIn(column).map(([from, to]) => [from, to])).toEqual([
      [1500, 1560],
      [2000, 2100],
      [3000, 3030],
    ]);
  });

  test("one run across missing values, which are no part of its length", () => {
    const column = stuck(temperature).fill(Number.NaN, 1510, 1520);
    const [run] = findLongRuns({ column, maxAnomalyRatio: 0.25 });
    expect(run).toMatchObject({ from: 1500, to: 1560, usual: 1 });
    expect(severityOf(run!)).toBeCloseTo(1 - 1 / 50, 6);
  });
});

/** A value that is kept for a time, most often a short one. */
function makeChanges(length: number): Float64Array {
  const random = createRandom(157);
  let [value, left] = [20, 0];
  return Float64Array.from({ length }, () => {
    if (left-- <= 0) [value, left] = [value + random.normal(), 2 * (1 - random.uniform()) ** (-1 / 1.5)];
    return value;
  });
}

describe("left alone is", () => {
  const night = (i: number) => i % 288 < 100;
  const weekend = (i: number) => Math.floor(i / 288) % 7 > 4;
  test.each([
    ["noise", makeSeries(4000, (_, noise) => noise)],
    ["a constant, and one that changes twice", makeSeries(4000, (i) => (i > 3000 ? 7 : i > 500 ? 6 : 5))],
    ["what rests at night", makeSeries(4000, (i, noise) => (night(i) ? 0 : Math.abs(50 + noise)))],
    [
      "a rest of a single night",
      makeSeries(500, (i, noise) => (i >= 200 && night(i) ? 0 : Math.abs(50 + noise))),
    ],
    [
      "the only weekend of ten days",
      makeSeries(2880, (i, noise) => (night(i) || weekend(i) ? 0 : Math.abs(50 + noise))),
    ],
    [
      "saturation",
      makeSeries(4000, (i, noise) => Math.min(100, (i > 1500 && i < 1580 ? 120 : 60) + 5 * noise)),
    ],
    [
      "errors that come in bursts",
      makeSeries(4000, (i, noise) =>
        Math.max(0, Math.round(noise + 2 * Math.sin(i / 37) * Math.sin(i / 11) - 1)),
      ),
    ],
    ["a slow curve that is rounded", makeSeries(4000, (i) => Math.round(20 + wave(i, 288) + wave(i, 1300)))],
    ["a quarter that is stuck: it may be the usual one", stuck(temperature, 500, 700).fill(20, 400, 640)],
    ["a sensor that reports changes alone, after times of any length", makeChanges(150)],
    ["twelve points", makeSeries(12, (i) => Number(i > 3))],
  ])("%s", (_name, column) => expect(runsIn(column)).toEqual([]));
});

test("a run that is twice as long as another is none", () => {
  const column = stuck(temperature).fill(19, 3000, 3030);
  expect(runsIn(column).map(([from]) => from)).toEqual([1500, 3000]);
  for (let k = 0; k < 12; k++) column.fill(18 + 0.3 * k, 100 * k, 100 * k + 25);
  expect(runsIn(column)).toEqual([]);
});
