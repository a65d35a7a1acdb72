// Days of the week that changed: earlier ones are moved to what they are now; holidays, seasons and steps change none.
import { describe, expect, test } from "bun:test";
import { tableOf } from "../../../src/models/baseline/day-table.ts";
import { atPresentWeek, changedDays } from "../../../src/models/forecasters/changed-days.ts";
import { DAY, HOUR, makeColumn, makeNoise, WEEK } from "./support.ts";

const WEEKS = 16;
const LENGTH = WEEKS * WEEK;
const SUNDAY = 6;
/** A Monday. */
const timeline = { startAt: Date.UTC(2024, 0, 1), intervalMs: HOUR };
const weekdayAt = (i: number) => Math.floor((i % WEEK) / DAY);
const weeksBefore = (i: number) => Math.floor((LENGTH - 1 - i) / WEEK);
const open = (i: number) => 100 + 30 * Math.sin((2 * Math.PI * i) / DAY);

function columnOf(value: (i: number) => number): Float64Array {
  const noise = makeNoise(17);
  return makeColumn(LENGTH, (i) => value(i) + 2 * noise());
}

/** Sundays closed until some weeks ago. */
const openedSince = (weeks: number) =>
  columnOf((i) => (weekdayAt(i) === SUNDAY && weeksBefore(i) >= weeks ? 10 : open(i)));

describe("a Sunday that has opened", () => {
  test.each([3, 5, 8])("%i weeks ago was always as it is now", (weeks) => {
    const { column } = atPresentWeek({ column: openedSince(weeks), intervalMs: HOUR }, timeline);
    for (const i of column.keys()) expect(Math.abs(column[i]! - open(i))).toBeLessThan(14);
  });

  test("leaves other days as they were", () => {
    const before = openedSince(5);
    const { column } = atPresentWeek({ column: before, intervalMs: HOUR }, timeline);
    for (const i of column.keys()) if (weekdayAt(i) !== SUNDAY) expect(column[i]!).toBe(before[i]!);
  });
});

test.each<[string, Float64Array]>([
  ["two weeks of a change, which may be holidays", openedSince(2)],
  ["a week that stays", columnOf((i) => (weekdayAt(i) === SUNDAY ? 10 : open(i)))],
  ["a step of all days", columnOf((i) => open(i) + (weeksBefore(i) < 5 ? 80 : 0))],
  ["all days of the week", columnOf((i) => open(i) + (weeksBefore(i) < 5 ? -1 : 1) * 8 * weekdayAt(i))],
  ["a line", columnOf((i) => open(i) + i / 5)],
  ["few weeks", openedSince(3).subarray(-5 * WEEK)],
  ["nothing", new Float64Array(LENGTH).fill(Number.NaN)],
])("%s changes no day", (_, column) => {
  const series = { column, intervalMs: HOUR };
  expect(changedDays(tableOf(column, timeline, DAY))).toEqual([]);
  expect(atPresentWeek(series, timeline)).toBe(series);
});

test("a season that is no week has no days of it", () => {
  const series = { column: openedSince(5), intervalMs: HOUR, cycles: { day: 30 } };
  expect(atPresentWeek(series, timeline)).toBe(series);
});
