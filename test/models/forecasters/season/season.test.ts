// Seasons that a range can show.
import { expect, test } from "bun:test";
import { levelSpanOf, seasonsOf } from "../../../../src/models/forecasters/season/season.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  ["two days of hours show a day", HOUR, 48, { day: 24 }],
  ["an hour less shows nothing", HOUR, 47, {}],
  ["two weeks of hours show both", HOUR, 336, { day: 24, week: 168 }],
  ["an hour less shows the day", HOUR, 335, { day: 24 }],
  ["days show weeks", DAY, 14, { week: 7 }],
  ["half days show both", DAY / 2, 28, { day: 2, week: 14 }],
  ["weeks show nothing", 7 * DAY, 500, {}],
  ["intervals need not divide the day", 7 * MINUTE, 500, { day: 1440 / 7 }],
] as const)("%s", (_, intervalMs, points, seasons) => {
  expect(seasonsOf(intervalMs, points)).toEqual(seasons);
});

test.each([
  [30 * MINUTE, 48],
  [DAY, 8],
  [30 * DAY, 8],
  [1000, 1440],
])("the level of intervals of %p ms is taken over %p of them", (intervalMs, span) => {
  expect(levelSpanOf(intervalMs)).toBe(span);
});
