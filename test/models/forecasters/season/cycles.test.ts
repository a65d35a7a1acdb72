// Cycles of the calendar in intervals, and the sets of them that a history holds.
import { expect, test } from "bun:test";
import {
  calendarCycles,
  cyclesOf,
  type SeasonSet,
  setsIn,
} from "../../../../src/models/forecasters/season/cycles.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  ["minutes have a day and a week", HOUR / 60, { day: 1440, week: 10_080 }],
  ["hours have a day and a week", HOUR, { day: 24, week: 168 }],
  ["intervals need not divide a day", HOUR * 5, { day: 24 / 5, week: 168 / 5 }],
  ["half days show a day", DAY / 2, { day: 2, week: 14 }],
  ["days have a week and a year", DAY, { week: 7, year: 365.25 }],
  ["weeks have a year", 7 * DAY, { year: 365.25 / 7 }],
  ["months have a year", 30 * DAY, { year: 365.25 / 30 }],
  ["years have none", 365 * DAY, {}],
] as const)("%s", (_, intervalMs, cycles) => {
  expect(calendarCycles(intervalMs)).toEqual(cycles);
});

test.each([
  ["none", []],
  ["day", [{ name: "day", length: 24 }]],
  [
    "week+year",
    [
      { name: "week", length: 168 },
      { name: "year", length: Number.POSITIVE_INFINITY },
    ],
  ],
] as const)("cycles of the set %s", (set, cycles) => {
  expect(cyclesOf({ day: 24, week: 168 }, set)).toEqual([...cycles]);
});

test.each([
  [47, 2, ["none"]],
  [48, 2, ["none", "day"]],
  [335, 2, ["none", "day"]],
  [336, 2, ["none", "day", "week"]],
  [336, 3, ["none", "day"]],
  [24, 1, ["none", "day"]],
] as const)("%d hours hold, at least %d times, %p", (points, least, sets) => {
  expect(setsIn({ day: 24, week: 168 }, points, least)).toEqual([...sets] as SeasonSet[]);
});

test("a year comes with the days and weeks that the series has", () => {
  expect(setsIn({ week: 7, year: 365.25 }, 731)).toEqual(["none", "week", "year", "week+year"]);
  expect(setsIn({ week: 7, year: 365.25 }, 730)).toEqual(["none", "week"]);
});
