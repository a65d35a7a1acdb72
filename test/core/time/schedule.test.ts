// Schedules: validation, and the next slot in any zone and across DST switches.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { check } from "../../../src/core/input/schema.ts";
import { Every, nextSlot, parseEvery } from "../../../src/core/time/schedule.ts";

const at = (iso: string) => Date.parse(iso);

const slots: readonly [string, Every, after: string, expected: string, timezone?: string][] = [
  ["every second", { unit: "second" }, "2026-01-01T00:00:00.500", "2026-01-01T00:00:01"],
  [
    "every 10 seconds, from a slot",
    { count: 10, unit: "seconds" },
    "2026-01-01T00:00:10",
    "2026-01-01T00:00:20",
  ],
  ["every minute", { unit: "minute" }, "2026-01-01T00:00:30", "2026-01-01T00:01:00"],
  [
    "every minute at :15, before it",
    { unit: "minute", at: ":15" },
    "2026-01-01T00:00:14",
    "2026-01-01T00:00:15",
  ],
  [
    "every minute at :15, after it",
    { unit: "minute", at: ":15" },
    "2026-01-01T00:00:15",
    "2026-01-01T00:01:15",
  ],
  ["every 5 minutes", { count: 5, unit: "minutes" }, "2026-01-01T00:04:00", "2026-01-01T00:05:00"],
  ["every hour at :20", { unit: "hour", at: ":20" }, "2026-01-01T00:21:00", "2026-01-01T01:20:00"],
  ["every hour at 20:30", { unit: "hour", at: "20:30" }, "2026-01-01T00:20:00", "2026-01-01T00:20:30"],
  [
    "every hour at :15, half an hour east",
    { unit: "hour", at: ":15" },
    "2026-01-01T00:00:00",
    "2026-01-01T00:45:00",
    "Asia/Kolkata",
  ],
  ["every 6 hours", { count: 6, unit: "hours" }, "2026-01-01T07:00:00", "2026-01-01T12:00:00"],
  ["every day at midnight", { unit: "day" }, "2026-01-01T00:00:00", "2026-01-02T00:00:00"],
  ["every day at 10:30, today", { unit: "day", at: "10:30" }, "2026-01-01T10:29:59", "2026-01-01T10:30:00"],
  [
    "every day at 10:30 in Paris, winter",
    { unit: "day", at: "10:30" },
    "2026-01-01T00:00:00",
    "2026-01-01T09:30:00",
    "Europe/Paris",
  ],
  [
    "every day at 10:30 in Paris, summer",
    { unit: "day", at: "10:30" },
    "2026-07-01T00:00:00",
    "2026-07-01T08:30:00",
    "Europe/Paris",
  ],
  [
    "02:30 on the day it does not exist",
    { unit: "day", at: "02:30" },
    "2026-03-28T12:00:00",
    "2026-03-29T01:30:00",
    "Europe/Paris",
  ],
  [
    "02:30 on the day it happens twice, the first",
    { unit: "day", at: "02:30" },
    "2026-10-24T12:00:00",
    "2026-10-25T00:30:00",
    "Europe/Paris",
  ],
  [
    "02:30 on the day it happens twice, not again",
    { unit: "day", at: "02:30" },
    "2026-10-25T00:30:00",
    "2026-10-26T01:30:00",
    "Europe/Paris",
  ],
  [
    "every monday at 08:00:05",
    { unit: "monday", at: "08:00:05" },
    "2026-11-20T00:00:00",
    "2026-11-23T08:00:05",
  ],
  [
    "every friday, on that friday",
    { unit: "friday", at: "12:00" },
    "2026-11-20T00:00:00",
    "2026-11-20T12:00:00",
  ],
  [
    "every sunday across the date line",
    { unit: "sunday", at: "01:00" },
    "2026-11-20T00:00:00",
    "2026-11-21T12:00:00",
    "Pacific/Auckland",
  ],
  ["every week begins on monday", { unit: "week" }, "2026-11-20T00:00:00", "2026-11-23T00:00:00"],
  ["before the epoch", { unit: "hour" }, "1969-12-31T22:30:00", "1969-12-31T23:00:00"],
];

for (const [name, every, after, expected, timezone = "UTC"] of slots) {
  test(name, () => {
    check(Every, every);
    const slot = nextSlot(parseEvery(every), at(`${after}Z`), timezone);
    expect(new Date(slot)).toEqual(new Date(`${expected}Z`));
  });
}

test("every 30 days fires every 30 days", () => {
  const table = parseEvery({ count: 30, unit: "days", at: "04:00" });
  const first = nextSlot(table, at("2026-01-01T00:00:00Z"), "UTC");
  expect(nextSlot(table, first, "UTC") - first).toBe(30 * 86_400_000);
});

test("every 2 weeks on tuesday is a tuesday, two weeks apart", () => {
  const table = parseEvery({ count: 2, unit: "tuesday" });
  const first = nextSlot(table, at("2026-01-01T00:00:00Z"), "UTC");
  expect(new Date(first).getUTCDay()).toBe(2);
  expect(nextSlot(table, first, "UTC") - first).toBe(14 * 86_400_000);
});

const bad: readonly [string, unknown, string][] = [
  ["count 0", { count: 0, unit: "days" }, "count"],
  ["a fraction of a count", { count: 1.5, unit: "days" }, "count"],
  ["an unknown unit", { unit: "fortnight" }, "unit"],
  ["no unit", {}, "unit"],
  ["an unknown key", { unit: "day", att: "10:00" }, "did you mean at"],
  ["at with seconds", { unit: "seconds", at: ":10" }, "at: cannot"],
  ["one digit", { unit: "day", at: "1:00" }, "at: must be HH:MM"],
  ["an hour too many", { unit: "day", at: "24:00" }, "at: must be HH:MM"],
  ["minute 60", { unit: "hour", at: ":60" }, "at: must be :MM"],
  ["HH:MM:SS within an hour", { unit: "hour", at: "10:10:10" }, "at: must be :MM"],
  ["HH:MM within a minute", { unit: "minute", at: "10:10" }, "at: must be :SS"],
  [":MM on a weekday", { unit: "monday", at: ":10" }, "at: must be HH:MM"],
];

for (const [name, every, message] of bad) {
  test(`refuses ${name}`, () => {
    expect(() => parseEvery(check(Every, every, "every"))).toThrow(message);
  });
}

test("the next slot is always later, and asking from just before it gives it again", () => {
  const units = fc.constantFrom("seconds", "minutes", "hours", "days", "weeks", "monday", "sunday");
  const zones = fc.constantFrom(
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
  );
  const instants = fc.integer({ min: at("1990-01-01T00:00:00Z"), max: at("2060-01-01T00:00:00Z") });
  fc.assert(
    fc.property(
      units,
      zones,
      fc.tuple(instants, fc.integer({ min: 1, max: 40 })),
      (unit, zone, [from, count]) => {
        const table = parseEvery({ unit, count });
        const next = nextSlot(table, from, zone);
        return next > from && nextSlot(table, next - 1, zone) === next;
      },
    ),
  );
});
