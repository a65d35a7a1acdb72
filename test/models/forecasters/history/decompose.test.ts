// Decomposition of a history: seasons, lines and steps are told apart.
import { describe, expect, test } from "bun:test";
import { decompose, linesOf } from "../../../../src/models/forecasters/history/decompose.ts";
import type { Cycle } from "../../../../src/models/forecasters/season/cycles.ts";
import { DAY, makeColumn, makeNoise, WEEK } from "../support.ts";

const day: Cycle = { name: "day", length: DAY };
const week: Cycle = { name: "week", length: WEEK };
/** Their means over a cycle are 0. */
const daily = (i: number) => 20 * Math.sin((2 * Math.PI * i) / DAY);
const weekly = (i: number) => (i % WEEK >= 5 * DAY ? -50 : 20);

describe("without noise", () => {
  test.each([
    ["a season and a line", [day], (i: number) => 5 + 0.3 * i, daily],
    ["a season and a level", [day], () => 5, daily],
    ["a line without a season", [], (i: number) => 5 + 0.3 * i, () => 0],
    ["two seasons and a line", [day, week], (i: number) => 5 + 0.3 * i, (i: number) => daily(i) + weekly(i)],
  ] as const)("%s are found exactly", (_, cycles, line, season) => {
    const column = makeColumn(5 * WEEK, (i) => line(i) + season(i));
    const { segments, level, seasonAt, slope } = decompose(column, cycles);
    expect(segments).toHaveLength(1);
    expect(slope).toBeCloseTo(line(1) - line(0), 4);
    for (let i = 0; i < column.length; i += 13) expect(level[i]!).toBeCloseTo(line(i), 3);
    // The season goes on after the history.
    for (let lead = 0; lead < WEEK; lead += 5)
      expect(seasonAt(column.length + lead)).toBeCloseTo(season(column.length + lead), 3);
  });

  test("missing values stay missing, and hide neither season nor line", () => {
    const column = makeColumn(3 * WEEK, (i) => (i % 5 === 1 ? Number.NaN : 5 + 0.3 * i + daily(i)));
    const { segments, level, seasonAt } = decompose(column, [day]);
    expect(segments).toHaveLength(1);
    for (let i = 0; i < column.length; i++) expect(Number.isNaN(level[i]!)).toBe(i % 5 === 1);
    for (let i = 0; i < DAY; i++) expect(seasonAt(i)).toBeWithin(daily(i) - 1, daily(i) + 1);
  });
});

test("a step is a break, and no part of the season", () => {
  const noise = makeNoise(16);
  const at = 10 * DAY + 10;
  const column = makeColumn(14 * DAY, (i) => daily(i) + (i >= at ? 60 : 0) + noise());
  const { segments, seasonAt } = decompose(column, [day]);
  expect(segments).toHaveLength(2);
  expect(segments[1]!.from).toBeWithin(at - 2, at + 3);
  for (let i = 0; i < DAY; i++) expect(seasonAt(i)).toBeWithin(daily(i) - 2.5, daily(i) + 2.5);
});

test("lines of segments run from break to break", () => {
  const segments = [
    { from: 0, level: 1, slope: 0 },
    { from: 2, level: 0, slope: 10 },
  ];
  expect(Array.from(linesOf(segments, 4))).toEqual([1, 1, 20, 30]);
  expect(Array.from(linesOf([], 2))).toEqual([0, 0]);
});
