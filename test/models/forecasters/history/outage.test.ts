// Outages: runs of one value beside all others that are over, and that no cycle explains.
import { describe, expect, test } from "bun:test";
import { cleanHistory } from "../../../../src/models/forecasters/history/departure.ts";
import { outagesOf, withoutOutages } from "../../../../src/models/forecasters/history/outage.ts";
import { calendarCycles } from "../../../../src/models/forecasters/season/cycles.ts";
import { DAY, HOUR, makeColumn, makeNoise, WEEK } from "../support.ts";

const cycles = calendarCycles(HOUR);
const MINUTES = { intervalMs: HOUR / 60, perDay: 60 * DAY };

/** A wave a day of 80 to 120 with a noise of 1, and one value in some runs. */
function waveWith(length: number, ...runs: readonly (readonly [from: number, to: number, value: number])[]) {
  const noise = makeNoise(5);
  return makeColumn(length, (i) => {
    const usual = 100 + 20 * Math.sin((2 * Math.PI * i) / DAY) + noise();
    return runs.find(([from, to]) => i >= from && i < to)?.[2] ?? usual;
  });
}

describe("outages", () => {
  test("of one value beside all others", () => {
    expect(outagesOf(waveWith(10 * DAY, [100, 140, 0]), cycles)).toEqual([[100, 140]]);
    expect(outagesOf(waveWith(10 * DAY, [100, 140, 900]), cycles)).toEqual([[100, 140]]);
  });

  test("of the same value at some times, the oldest first, across missing values", () => {
    const column = waveWith(10 * DAY, [60, 65, 0], [170, 190, 0]);
    column[180] = Number.NaN;
    expect(outagesOf(column, cycles)).toEqual([
      [60, 65],
      [170, 190],
    ]);
  });

  test("beside a spike beyond them", () => {
    const column = waveWith(10 * DAY, [100, 140, 0]);
    column[50] = -300;
    expect(outagesOf(column, cycles)).toEqual([[100, 140]]);
  });

  test("are missing in a column without them", () => {
    const clean = withoutOutages(waveWith(10 * DAY, [100, 140, 0]), cycles);
    expect([...clean.keys()].filter((i) => Number.isNaN(clean[i]!))).toEqual(
      Array.from({ length: 40 }, (_, k) => 100 + k),
    );
  });

  test("of minutes are left out though no season is known yet, or the newest values are after them", () => {
    const { intervalMs, perDay } = MINUTES;
    const noise = makeNoise(3);
    const column = makeColumn(2.6 * perDay, (i) =>
      i >= 1000 && i < 1600 ? 0 : 100 + 20 * Math.sin((2 * Math.PI * i) / perDay) + noise(),
    );
    const { leftOut, series } = cleanHistory({ column, intervalMs });
    expect(leftOut.runs).toEqual([[column.length - 1000, 600]]);
    expect(series.column.filter(Number.isNaN)).toHaveLength(600);
  });
});

test.each<[string, Float64Array]>([
  ["one that goes on", waveWith(10 * DAY, [200, 240, 0])],
  ["one that all began with", waveWith(10 * DAY, [0, 20, 0])],
  ["a value within the others", waveWith(10 * DAY, [100, 140, 100])],
  ["one by less than the noise", waveWith(10 * DAY, [100, 140, 77])],
  ["more than a quarter", waveWith(10 * DAY, [60, 130, 0])],
  ["what comes each night", waveWith(10 * DAY, ...nights(10))],
  ["the only night of a history", waveWith(30, [10, 17, 0])],
  ["the same hours of two days", waveWith(10 * DAY, [100, 108, 0], [124, 132, 0])],
  ["a weekend without a second one", waveWith(8 * DAY, [72, 120, 0])],
  [
    "weekends",
    waveWith(3 * WEEK, [72, 120, 0], [72 + WEEK, 120 + WEEK, 0], [72 + 2 * WEEK, 120 + 2 * WEEK, 0]),
  ],
  ["four of them", waveWith(20 * DAY, [50, 60, 0], [110, 119, 0], [200, 207, 0], [300, 311, 0])],
  ["two values", waveWith(10 * DAY, [100, 102, 0])],
  ["a constant", makeColumn(100, () => 5)],
])("none: %s", (_, column) => {
  expect(outagesOf(column, cycles)).toEqual([]);
});

function nights(days: number): [number, number, number][] {
  return Array.from({ length: days }, (_, day) => [day * DAY + 20, day * DAY + 23, 0]);
}

test("a weekend of one value is an outage where other weekends have none", () => {
  expect(outagesOf(waveWith(3 * WEEK, [72, 120, 0]), cycles)).toEqual([[72, 120]]);
});
