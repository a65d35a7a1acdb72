// History of a forecast in intervals.
import { expect, test } from "bun:test";
import { historyLength, recentLength } from "../../../../src/models/forecasters/season/history-length.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  ["eight weeks of hours", HOUR, 56 * 24, 56 * 24],
  ["of minutes", MINUTE, 56 * 1440, 56 * 1440],
  ["of seconds no more than 100 000", 1000, 100_000, 100_000],
  ["ten years of days, of which eight weeks are recent", DAY, 3660, 56],
  ["as many weeks", 7 * DAY, 3660, 56],
  ["56 years", 365 * DAY, 56, 56],
])("%s", (_, intervalMs, history, recent) => {
  expect(historyLength({ intervalMs })).toBe(history);
  expect(recentLength(intervalMs)).toBe(recent);
});

test("cycles of the series go before those of the calendar", () => {
  expect(historyLength({ intervalMs: DAY, cycles: {} })).toBe(56);
  expect(historyLength({ intervalMs: HOUR, cycles: { year: 100 } })).toBe(3660);
});
