// Cron schedules: validation, and the next slot across DST switches.
import { describe, expect, test } from "bun:test";
import { checkCron, nextCron } from "../../../src/core/time/cron.ts";
import { errorOf } from "../expect.ts";

test.each([
  "0 3 * * *",
  "*/5 * * * *",
  "*/10 * * * * *",
  "0 9 * * MON-FRI",
  "@daily",
  "0 0 29 2 *",
  "0 0 L * *",
])("accepts %p", (text) => {
  expect(() => checkCron(text, "every.cron")).not.toThrow();
});

test.each([
  ["", "five or six fields"],
  ["x", "five or six fields"],
  ["61 * * * *", "has a minute that cannot be: it is 0 to 59"],
  ["5-1 * * * *", "has a minute that cannot be"],
  ["0 22-6 * * *", "has an hour that cannot be: it is 0 to 23, *, a list, a range that rises"],
  ["0 0 0 * *", "has a day that cannot be"],
  ["*/5 0 0 1 FOO *", "has a month that cannot be"],
  ["0 0 * * MON#6", "has a weekday that cannot be"],
  ["* * * * * * 2030", "five or six fields"],
  ["@reboot", "five or six fields"],
  ["2030-01-01T00:00:00", "five or six fields"],
  ["0 0 31 4,6 *", "unlike 30 February or 31 April"],
  ["0 0 30 2 *", "must name a day that there is"],
])("refuses %p without repeating it", (text, rule) => {
  const error = errorOf(() => checkCron(text, "every.cron"));
  expect(error.details.path).toBe("every.cron");
  expect(error.message).toContain(rule);
});

describe("next slot", () => {
  const cases: [string, string, string, string][] = [
    ["0 3 * * *", "2026-01-01T03:00:00Z", "UTC", "2026-01-02T03:00:00.000Z"],
    ["0 3 * * *", "2026-01-01T02:59:59.999Z", "UTC", "2026-01-01T03:00:00.000Z"],
    ["0 0 29 2 *", "2026-01-01T00:00:00Z", "UTC", "2028-02-29T00:00:00.000Z"],
    ["0 3 * * *", "2026-07-01T00:00:00Z", "Europe/Paris", "2026-07-01T01:00:00.000Z"],
    // The hour that is skipped, and the one that comes twice.
    ["30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Paris", "2026-03-29T01:00:00.000Z"],
    ["30 2 * * *", "2026-10-24T22:00:00Z", "Europe/Paris", "2026-10-25T00:30:00.000Z"],
    ["30 2 * * *", "2026-10-25T00:30:00Z", "Europe/Paris", "2026-10-26T01:30:00.000Z"],
  ];
  test.each(cases)("%s after %s in %s", (text, after, timezone, expected) => {
    expect(new Date(nextCron(text, Date.parse(after), timezone)).toISOString()).toBe(expected);
  });
});
