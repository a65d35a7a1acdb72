// Durations and dates: accepted and rejected forms, and properties of all of them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  formatDate,
  formatLocalDate,
  isDuration,
  parseDate,
  parseDuration,
} from "../../../src/core/time/time.ts";
import { errorOf } from "../expect.ts";

const SECOND = 1000;
const DAY = 86_400 * SECOND;

describe("parseDuration", () => {
  const accepted: [unknown, number][] = [
    ["30s", 30 * SECOND],
    ["5m", 300 * SECOND],
    ["1h", 3600 * SECOND],
    ["1d", DAY],
    ["2w", 14 * DAY],
    ["1M", 30 * DAY],
    ["1y", 365 * DAY],
    ["60", 60 * SECOND],
    [" 5m ", 300 * SECOND],
    ["1.5h", 5400 * SECOND],
    ["500ms", 500],
    ["1h30m", 5400 * SECOND],
    ["1d2h3m4s5ms", DAY + 7_384_005],
    ["0", 0],
    [0, 0],
    [60, 60 * SECOND],
    [0.5, 500],
    ["0.0004s", 0],
  ];
  test.each(accepted)("%p is %p ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(isDuration(text)).toBe(true);
  });

  const refused = [
    "",
    "m",
    "5 m",
    "-5m",
    "+5m",
    "5x",
    "5mm",
    "30m1h",
    "1h1h",
    "1h30",
    "1.h",
    "1h 30m",
    "1e3",
    "NaN",
    "Infinity",
    "٣s",
  ];
  const refusedValues = [-1, Number.NaN, Infinity, 1e15, "9".repeat(400), null, undefined, {}, [], true];
  test.each(
    [...refused, ...refusedValues].map((value) => [value]),
  )("%p is refused, naming the path", (value) => {
    expect(isDuration(value)).toBe(false);
    expect(errorOf(() => parseDuration(value, "grace"))).toMatchObject({
      code: "invalid",
      details: { path: "grace" },
    });
  });

  test("a number and a unit is that many of the unit", () => {
    const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, M: 2_592_000, y: 31_536_000 };
    const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), unit, (count, name) => {
        expect(parseDuration(`${count}${name}`)).toBe(count * units[name] * SECOND);
      }),
    );
  });

  test("no text makes it throw anything but invalid", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (isDuration(text)) expect(parseDuration(text)).toBeGreaterThanOrEqual(0);
        else expect(errorOf(() => parseDuration(text)).code).toBe("invalid");
      }),
    );
  });
});

describe("parseDate", () => {
  const now = Date.UTC(2026, 6, 15, 13, 45, 30, 250); // a Wednesday
  const accepted: [unknown, number][] = [
    [1_700_000_000, 1_700_000_000_000],
    ["1700000000", 1_700_000_000_000],
    ["1700000000.25", 1_700_000_000_250],
    [1_700_000_000.1234, 1_700_000_000_123],
    [0, 0],
    [-86_400, -DAY],
    ["-86400", -DAY],
    ["2026-01-31", Date.UTC(2026, 0, 31)],
    ["2026-01-31T12:00", Date.UTC(2026, 0, 31, 12)],
    ["2026-01-31T12:00:00", Date.UTC(2026, 0, 31, 12)],
    ["2026-01-31 12:00:00", Date.UTC(2026, 0, 31, 12)],
    ["2026-01-31T12:00:00Z", Date.UTC(2026, 0, 31, 12)],
    ["2026-01-31T12:00:00z", Date.UTC(2026, 0, 31, 12)],
    ["2026-01-31T12:00:00.283Z", Date.UTC(2026, 0, 31, 12, 0, 0, 283)],
    ["2026-01-31T12:00:00.283999999Z", Date.UTC(2026, 0, 31, 12, 0, 0, 283)],
    ["2026-01-31T12:00:00,5Z", Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
    ["2026-01-31T12:00:00+02:00", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31T12:00:00+0200", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31T12:00:00-05", Date.UTC(2026, 0, 31, 17)],
    ["2026-01-31T12:00:00 02:00", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31 12:00 02:00", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31T12:00:00 0200", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31T12:00:00 +02:00", Date.UTC(2026, 0, 31, 10)],
    ["20260131", Date.UTC(2026, 0, 31)],
    ["202601311230", Date.UTC(2026, 0, 31, 12, 30)],
    ["20260131123015", Date.UTC(2026, 0, 31, 12, 30, 15)],
    ["20260131T1230Z", Date.UTC(2026, 0, 31, 12, 30)],
    [20_260_131, 20_260_131_000],
    ["86400000", 86_400_000_000],
    ["now-1h30m", now - 5400 * SECOND],
    ["now-500ms", now - 500],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2018-05-16 17:00:20.966302+02:00", Date.UTC(2018, 4, 16, 15, 0, 20, 966)],
    ["now", now],
    [" now ", now],
    ["now-1h", now - 3600 * SECOND],
    ["now+30m", now + 1800 * SECOND],
    ["now 30m", now + 1800 * SECOND],
    ["now - 1h", now - 3600 * SECOND],
    ["now-60", now - 60 * SECOND],
    ["now/d", Date.UTC(2026, 6, 15)],
    ["now/h", Date.UTC(2026, 6, 15, 13)],
    ["now/m", Date.UTC(2026, 6, 15, 13, 45)],
    ["now/s", Date.UTC(2026, 6, 15, 13, 45, 30)],
    ["now/w", Date.UTC(2026, 6, 13)],
    ["now/M", Date.UTC(2026, 6, 1)],
    ["now/y", Date.UTC(2026, 0, 1)],
    ["now-1d/d", Date.UTC(2026, 6, 14)],
  ];
  test.each(accepted)("%p is understood", (value, at) => {
    expect(parseDate(value, now)).toBe(at);
  });

  const refused = [
    "",
    "yesterday",
    "now-",
    "now5m",
    "now-5x",
    "now/q",
    "now-1h-1h",
    "NaN",
    "Infinity",
    "1e9",
    "2026",
    "202611",
    "20261324",
    "20260230",
    "20261124240000",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29",
    "2026-00-10",
    "2026-01-01T24:00:00Z",
    "2026-01-01T12:60Z",
    "2026-01-01T12:00:60Z",
    "2026-01-01T12:00:00+99:99",
    "2026-01-01T12:00:00+02:75",
    "2026-01-01T12:00:00 99:00",
    "2026-01-01T12:00:0002:00",
    "0050-01-01",
    "1899-12-31",
    "now-200y",
    "2026-01-31T",
  ];
  const values = [
    Number.NaN,
    Infinity,
    -Infinity,
    1.7e12,
    -1e11,
    null,
    undefined,
    true,
    {},
    [1],
    "9".repeat(400),
  ];
  test.each([...refused, ...values].map((value) => [value]))("%p is refused, naming the path", (value) => {
    expect(errorOf(() => parseDate(value, now, "from"))).toMatchObject({
      code: "invalid",
      details: { path: "from" },
    });
  });

  test("of milliseconds the message says what to do", () => {
    for (const value of [1.7e12, "1700000000000", "1700000000000000000"])
      expect(errorOf(() => parseDate(value, now)).message).toEndWith(": divide milliseconds by 1000");
    expect(errorOf(() => parseDate("soon", now)).message).toEndWith("now/d");
  });

  test("of a date outside of the years that are read the message names them", () => {
    const outside = ["1899-12-31T23:59:59Z", -2_208_988_801, "-2208988801", "now-200y", 253_402_300_800];
    for (const value of outside)
      expect(errorOf(() => parseDate(value, now)).message).toContain("must be a date of 1900 to 9999");
    for (const value of ["1900-01-01", "9999-12-31T23:59:59Z"]) expect(parseDate(value, now)).toBeNumber();
  });

  const instants = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(9999, 11, 31) });

  test("what formatDate writes, parseDate reads", () => {
    fc.assert(fc.property(instants, (at) => expect(parseDate(formatDate(at), 0)).toBe(at)));
  });

  test("seconds as a number and as digits are the same instant", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const seconds = Math.floor(at / SECOND);
        expect(parseDate(seconds, 0)).toBe(seconds * SECOND);
        // Digits that begin with a year are a date.
        if (!/^(19|20)(\d\d|\d{4}|\d{6}|\d{10}|\d{12})$/.test(String(seconds)))
          expect(parseDate(String(seconds), 0)).toBe(seconds * SECOND);
      }),
    );
  });

  test("rounding never goes forward, and by less than the unit", () => {
    const longest = {
      s: SECOND,
      m: 60 * SECOND,
      h: 3600 * SECOND,
      d: DAY,
      w: 7 * DAY,
      M: 31 * DAY,
      y: 366 * DAY,
    };
    const recent = fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2100, 0, 1) });
    const unit = fc.constantFrom(...(Object.keys(longest) as (keyof typeof longest)[]));
    fc.assert(
      fc.property(recent, unit, (at, name) => {
        const rounded = parseDate(`now/${name}`, at);
        expect(at - rounded).toBeGreaterThanOrEqual(0);
        expect(at - rounded).toBeLessThan(longest[name]);
      }),
    );
  });

  test("no text makes it throw anything but invalid", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(Number.isInteger(parseDate(text, now))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid" });
        }
      }),
    );
  });
});

test.each([
  [Date.UTC(2018, 4, 16, 15, 0, 20, 966), "Europe/Paris", "2018-05-16 17:00:20.966000+02:00"],
  [Date.UTC(2018, 0, 1), "UTC", "2018-01-01 00:00:00.000000+00:00"],
  [Date.UTC(2026, 9, 25, 0, 30), "Europe/Paris", "2026-10-25 02:30:00.000000+02:00"],
  [Date.UTC(2026, 9, 25, 1, 30), "Europe/Paris", "2026-10-25 02:30:00.000000+01:00"],
  [Date.UTC(2026, 0, 1) + 0.4, "Asia/Kathmandu", "2026-01-01 05:45:00.000000+05:45"],
])("local date of %d in %s", (at, timezone, expected) => {
  expect(formatLocalDate(at, timezone)).toBe(expected);
});
