// Holidays: countries, regions, iCalendar files with repetitions, and refusals.
import { describe, expect, test } from "bun:test";
import { checkHolidays, type Holidays, holidaysOf } from "../../../src/core/time/holidays.ts";
import { errorOf } from "../expect.ts";

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const calendarOf = (...events: string[]) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...events.flatMap((event) => ["BEGIN:VEVENT", event, "END:VEVENT"]),
    "END:VCALENDAR",
  ].join("\r\n");
const areHolidays = (holidays: Holidays, dates: readonly string[]) => {
  checkHolidays(holidays, "holidays");
  return dates.map((date) => holidaysOf(holidays)(dayOf(date)));
};

describe("countries", () => {
  test("public holidays of every year, fixed and movable", () =>
    expect(
      areHolidays({ country: "FR" }, ["2026-07-14", "2031-07-14", "2026-04-06", "2027-03-29", "2026-07-15"]),
    ).toEqual([true, true, true, true, false]));

  test("days of a region, and not of another", () => {
    expect(areHolidays({ country: "DE", region: "BE" }, ["2026-03-08", "2026-10-03"])).toEqual([true, true]);
    expect(areHolidays({ country: "DE", region: "BY" }, ["2026-03-08", "2026-10-03"])).toEqual([false, true]);
  });

  test("observances are no holidays", () =>
    expect(areHolidays({ country: "US" }, ["2026-02-14", "2026-11-26"])).toEqual([false, true]));
});

describe("iCalendar files", () => {
  test("all-day events: the end is exclusive, and absent one day", () => {
    const ical = calendarOf(
      "DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261227",
      "DTSTART;VALUE=DATE:20260501",
    );
    const dates = ["2026-12-23", "2026-12-24", "2026-12-26", "2026-12-27", "2026-05-01", "2026-05-02"];
    expect(areHolidays({ ical }, dates)).toEqual([false, true, true, false, true, false]);
  });

  test("repeated events, in any later year", () => {
    const ical = calendarOf("DTSTART;VALUE=DATE:20200102\r\nRRULE:FREQ=YEARLY");
    expect(areHolidays({ ical }, ["2019-01-02", "2020-01-02", "2044-01-02", "2044-01-03"])).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test("an event with hours counts for the days it touches", () => {
    const ical = calendarOf("DTSTART:20260601T220000\r\nDTEND:20260602T060000");
    expect(areHolidays({ ical }, ["2026-06-01", "2026-06-02", "2026-06-03"])).toEqual([true, true, false]);
  });

  test("a series without end is followed into the year in question", () => {
    const ical = calendarOf("DTSTART;VALUE=DATE:20200101\r\nRRULE:FREQ=DAILY");
    expect(areHolidays({ ical }, ["2026-11-23", "2019-12-31"])).toEqual([true, false]);
  });

  test("series by the second are refused, and one that is left is followed", () => {
    const ical = calendarOf(
      ...Array.from({ length: 1000 }, () => "DTSTART:20200101T000000\r\nRRULE:FREQ=SECONDLY"),
    );
    expect(() => checkHolidays({ ical }, "holidays")).toThrow(
      /holidays\.ical: event 1: .* repeats too often/,
    );
    const mixed = ical.replace("RRULE:FREQ=SECONDLY", "RRULE:FREQ=DAILY");
    expect(areHolidays({ ical: mixed }, ["2026-11-23"])).toEqual([true]);
  });

  test("with a country, the days of both count", () => {
    const ical = calendarOf("DTSTART;VALUE=DATE:20260817");
    expect(areHolidays({ country: "FR", ical }, ["2026-08-17", "2026-08-15"])).toEqual([true, true]);
  });
});

describe("refusals", () => {
  test.each<[Holidays, string, RegExp]>([
    [{}, "holidays", /must have a country, the name of a calendar, or the text/],
    [{ country: "XX" }, "holidays.country", /XX is not known: give its days as ical/],
    [{ region: "BE" }, "holidays.region", /needs a country/],
    [{ country: "DE", region: "ZZ" }, "holidays.region", /choose from BB, BE/],
    [{ country: "DE", region: "constructor" }, "holidays.region", /choose from/],
    [{ ical: "hello" }, "holidays.ical", /must be the text of an iCalendar file/],
    [{ ical: "BEGIN:VCALENDAR\r\nEND:VCALENDAR" }, "holidays.ical", /holds no event/],
    [{ ical: calendarOf("SUMMARY:no date") }, "holidays.ical", /has no DTSTART/],
  ])("%j", (holidays, path, message) => {
    const error = errorOf(() => checkHolidays(holidays, "holidays"));
    expect(JSON.stringify(error.details ?? error.message)).toContain(path);
    expect(error.message).toMatch(message);
  });
});
