// Rhythm of alarms: every day of the range, and the hours of the day.
import { expect, test } from "bun:test";
import { countByTime } from "../../../src/core/report/rhythm.ts";

const HOUR = 3_600_000;
const DAY_S = 86_400;

test("a range that begins and ends within days counts both", () => {
  const at = (hour: number) => ({ startAt: hour * HOUR });
  const { days, hours } = countByTime([at(23), at(25), at(26), at(49)], {
    fromAt: 22 * HOUR,
    toAt: 50 * HOUR,
  });
  expect(days).toEqual([
    { at: 0, total: 1 },
    { at: DAY_S, total: 2 },
    { at: 2 * DAY_S, total: 1 },
  ]);
  expect(hours).toHaveLength(24);
  expect([hours[23], hours[1], hours[2], hours[0]]).toEqual([1, 2, 1, 0]);
});

test("the end is exclusive", () => {
  expect(countByTime([], { fromAt: 0, toAt: 24 * HOUR }).days).toEqual([{ at: 0, total: 0 }]);
});
