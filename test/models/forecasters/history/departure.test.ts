// Departures that are over: runs away from a level between two stretches at it; what goes on, or comes often, is none.
import { describe, expect, test } from "bun:test";
import { cleanHistory, departuresOf } from "../../../../src/models/forecasters/history/departure.ts";
import { DAY, HOUR, makeColumn, makeNoise } from "../support.ts";

const LENGTH = 400;

/** Level of 100 with a noise of 1, and other values in some runs. */
function levelWith(...runs: readonly (readonly [from: number, to: number, value: number])[]): Float64Array {
  const noise = makeNoise(5);
  return makeColumn(LENGTH, (i) => (runs.find(([from, to]) => i >= from && i < to)?.[2] ?? 100) + noise());
}

describe("departures", () => {
  test.each([
    ["an outage", [[350, 374, 0]]],
    ["one that ends with the last value", [[380, LENGTH - 1, 0]]],
    [
      "a rise of an hour and an outage",
      [
        [100, 112, 160],
        [300, 340, 0],
      ],
    ],
  ] as const)("%s", (_, runs) => {
    expect(departuresOf(levelWith(...runs))).toEqual(runs.map(([from, to]) => [from, to]));
  });

  test("across missing values", () => {
    const level = levelWith([350, 374, 0]).map((value, i) => (i % 5 === 2 ? Number.NaN : value));
    expect(departuresOf(level)).toEqual([[350, 374]]);
  });

  test("across an odd value or two, which do not end them", () => {
    expect(departuresOf(levelWith([360, 362, 200], [350, 374, 0]))).toEqual([[350, 374]]);
    expect(departuresOf(levelWith([360, 362, 100], [350, 374, 0]))).toEqual([[350, 374]]);
  });

  test.each<[string, Float64Array]>([
    ["a level that lasts", levelWith([380, LENGTH, 0])],
    ["one that lasts across odd values", levelWith([396, 398, 200], [380, LENGTH, 0])],
    ["one that ends with an odd value", levelWith([LENGTH - 1, LENGTH, 200], [380, LENGTH, 0])],
    ["one that began so", levelWith([0, 20, 0])],
    ["one or two values, which are spikes", levelWith([100, 102, 0], [300, 301, 0])],
    ["what comes often", levelWith([50, 60, 0], [150, 160, 0], [250, 260, 0], [350, 360, 0])],
    ["more than a quarter of the values", levelWith([200, 310, 0])],
    ["noise", levelWith()],
    ["few values", levelWith([30, 36, 0]).subarray(0, 39)],
    ["a constant", new Float64Array(LENGTH).fill(7)],
  ])("none of %s", (_, level) => {
    expect(departuresOf(level)).toEqual([]);
  });
});

describe("from a trend", () => {
  const noise = makeNoise(6);
  const rising = (...runs: readonly (readonly [from: number, to: number, value: number])[]) =>
    makeColumn(LENGTH, (i) => (runs.find(([from, to]) => i >= from && i < to)?.[2] ?? 100 + i) + noise());

  test("an outage is one, where it is away from the line", () => {
    expect(departuresOf(rising([350, 374, 0]))).toEqual([[350, 374]]);
    expect(departuresOf(rising([386, 398, 0]))).toEqual([[386, 398]]);
  });

  test("a slope that is steeper since some time is none, though its last value is low", () => {
    const level = makeColumn(LENGTH, (i) => 100 + Math.max(0, i - 300) + noise());
    level[LENGTH - 1] = 106.5;
    expect(departuresOf(level)).toEqual([]);
  });
});

describe("what comes again", () => {
  const jobs = levelWith([110, 130, 160], [210, 230, 160], [310, 330, 160]);

  test("a cycle later is a season that is not yet known", () => {
    expect(departuresOf(jobs)).toHaveLength(3);
    expect(departuresOf(jobs, [100])).toEqual([]);
    expect(departuresOf(jobs, [70])).toHaveLength(3);
  });

  test("leaves an outage beside it", () => {
    const both = levelWith([110, 130, 160], [210, 230, 160], [260, 280, 0]);
    expect(departuresOf(both, [100])).toEqual([[260, 280]]);
  });

  test("on the other side is none of it", () => {
    expect(departuresOf(levelWith([110, 130, 160], [210, 230, 40]), [100])).toHaveLength(2);
  });
});

test("one longer than two cycles is not one that comes again", () => {
  expect(departuresOf(levelWith([300, 370, 0]), [24])).toEqual([[300, 370]]);
  expect(departuresOf(levelWith([160, 200, 160], [300, 340, 160]), [140])).toEqual([]);
});

describe("a series without them", () => {
  const wave = (i: number) => 100 + 20 * Math.sin((2 * Math.PI * i) / DAY);
  const noise = makeNoise(7);
  const column = makeColumn(14 * DAY, (i) => (i >= 320 && i < 330 ? 0 : wave(i) + noise()));
  const missing = (values: Float64Array) => [...values.keys()].filter((i) => Number.isNaN(values[i]!));

  test("is judged without its season, and has no value there", () => {
    const clean = cleanHistory({ column, intervalMs: HOUR }).series;
    expect(missing(clean.column)).toEqual(Array.from({ length: 10 }, (_, k) => 320 + k));
  });

  test("has what came a year before, too, as works that are closed at its end", () => {
    const days = makeColumn(1000, (i) => (i % 365 >= 350 ? 20 : 100) + noise());
    const series = { column: days.subarray(0, 900), intervalMs: DAY * HOUR };
    expect(cleanHistory(series).series).toBe(series);
    const once = series.column.map((value, i) => (i < 365 ? 100 + noise() : value));
    expect(missing(cleanHistory({ ...series, column: once }).series.column)).toHaveLength(15);
  });

  test("stays as it is without one", () => {
    const series = { column: column.subarray(0, 300), intervalMs: HOUR };
    expect(cleanHistory(series).series).toBe(series);
  });
});
