// Steps of the calendar: what counts as months or workdays, and the instants that follow.
import { describe, expect, test } from "bun:test";
import {
  findStep,
  nextInstants,
  placePoints,
  refineStep,
  type Step,
  stepOf,
} from "../../../src/core/series/granularity.ts";
import { offsetsOf } from "../../../src/core/time/timezone.ts";
import { errorOf } from "../expect.ts";

const DAY = 86_400_000;
const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const instantsOf = (texts: string) => texts.split(" ").map(at);
const months = (count: number, day?: number): Step => ({
  kind: "months",
  months: count,
  ...(day && { day }),
});
const fixed = (days: number): Step => ({ kind: "fixed", ms: days * DAY });
const workdays: Step = { kind: "workdays" };

/** Dates where all are midnights of UTC. */
function textOf(instants: readonly number[] = []): string {
  const texts = instants.map((instant) => new Date(instant).toISOString().replace(".000Z", "Z"));
  return texts.map((text) => text.replace("T00:00:00Z", "")).join(" ");
}
/** Dates of the same day of each month, the last one of shorter months. */
function dates(day: number, count: number, every = 1): number[] {
  return Array.from({ length: count }, (_, i) => {
    const lastDay = new Date(Date.UTC(2023, every * i + 1, 0)).getUTCDate();
    return Date.UTC(2023, every * i, Math.min(day, lastDay));
  });
}
/** Every so many days. */
const spaced = (days: number, start: string, count = 24) =>
  Array.from({ length: count }, (_, i) => at(start) + i * days * DAY);
/** From 2024-01-01, a Monday. */
const workdaysOf = (weeks: number, isKept = (_day: number) => true) =>
  Array.from({ length: 7 * weeks }, (_, i) => i)
    .filter((i) => i % 7 < 5 && isKept(i))
    .map((i) => at("2024-01-01") + i * DAY);

describe("months", () => {
  test.each([
    ["starts", dates(1, 24), months(1), "2025-01-01 2025-02-01 2025-03-01"],
    ["the 15th", dates(15, 24), months(1), "2025-01-15 2025-02-15 2025-03-15"],
    ["ends, with a leap year", dates(31, 24), months(1, 31), "2025-01-31 2025-02-28 2025-03-31"],
    ["the 30th", dates(30, 24), months(1, 30), "2025-01-30 2025-02-28 2025-03-30"],
    ["the 29th, up to February", dates(29, 14), months(1, 29), "2024-03-29 2024-04-29 2024-05-29"],
    ["ends, up to February", dates(31, 14), months(1, 31), "2024-03-31 2024-04-30 2024-05-31"],
    ["the 30th, up to February", dates(30, 14), months(1, 30), "2024-03-30 2024-04-30 2024-05-30"],
    ["every second one", dates(1, 12, 2), months(2), "2025-01-01 2025-03-01 2025-05-01"],
    [
      "ends of quarters",
      instantsOf("2023-03-31 2023-06-30 2023-09-30"),
      months(3, 31),
      "2023-12-31 2024-03-31 2024-06-30",
    ],
    ["starts of quarters", dates(1, 8, 3), months(3), "2025-01-01 2025-04-01 2025-07-01"],
    ["years", dates(1, 5, 12), months(12), "2028-01-01 2029-01-01 2030-01-01"],
    [
      "ends of February",
      instantsOf("2022-02-28 2023-02-28 2024-02-29"),
      months(12, 31),
      "2025-02-28 2026-02-28 2027-02-28",
    ],
    [
      "the 28th of February",
      instantsOf("2023-02-28 2024-02-28 2025-02-28"),
      months(12),
      "2026-02-28 2027-02-28 2028-02-28",
    ],
    [
      "leap days",
      instantsOf("2016-02-29 2020-02-29 2024-02-29"),
      months(48, 31),
      "2028-02-29 2032-02-29 2036-02-29",
    ],
    [
      "a time of day",
      instantsOf("2023-01-31T06:30:00Z 2023-02-28T06:30:00Z 2023-03-31T06:30:00Z"),
      months(1, 31),
      "2023-04-30T06:30:00Z 2023-05-31T06:30:00Z 2023-06-30T06:30:00Z",
    ],
    [
      "before 1970",
      instantsOf("1969-10-31 1969-11-30 1969-12-31 1970-01-31"),
      months(1, 31),
      "1970-02-28 1970-03-31 1970-04-30",
    ],
  ] as [string, number[], Step, string][])("%s", (_name, instants, step, next) => {
    expect(findStep(instants)).toEqual(step);
    expect(textOf(nextInstants(instants.at(-1)!, step, 3))).toBe(next);
    expect(placePoints(instants, step).at(-1)).toBe(instants.length - 1);
  });

  test.each([
    ["one", "2023-01-31 2023-02-28 2023-04-30 2023-05-31", months(1, 31), [0, 1, 3, 4]],
    ["February", "2023-01-30 2023-03-30 2023-04-30 2023-05-30", months(1, 30), [0, 2, 3, 4]],
    ["every other quarter but one", "2023-01-01 2023-04-01 2023-10-01 2024-04-01", months(3), [0, 1, 3, 5]],
  ] as [string, string, Step, number[]][])("may be missing: %s", (_name, texts, step, places) => {
    const instants = instantsOf(texts);
    expect(findStep(instants)).toEqual(step);
    expect(Array.from(placePoints(instants, step))).toEqual(places);
  });

  test("one that comes a month late is taken as meant", () => {
    const instants = instantsOf("2010-01-01 2011-01-01 2012-02-01 2013-02-01 2014-02-01");
    expect(findStep(instants)).toEqual(months(12));
    expect(Array.from(placePoints(instants, months(12)))).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    ["28 days, from a first of February", spaced(28, "2023-02-01"), fixed(28)],
    ["30 days", spaced(30, "2023-01-01"), fixed(30)],
    ["31 days, from a first of July", spaced(31, "2023-07-01"), fixed(31)],
    ["365 days over a leap year", spaced(365, "2022-01-01", 4), fixed(365)],
    ["four weeks", spaced(28, "2023-01-02"), fixed(28)],
    ["days", spaced(1, "2023-01-01"), fixed(1)],
    ["two ends of months", instantsOf("2023-01-31 2023-02-28"), fixed(28)],
    ["a day in between", instantsOf("2023-01-01 2023-02-01 2023-02-15 2023-03-01"), fixed(14)],
    ["an end of a month beside the 30th", instantsOf("2023-01-30 2023-03-30 2023-05-31"), fixed(59)],
    ["uneven days", instantsOf("2023-01-03 2023-02-07 2023-03-01 2023-04-11"), fixed(22)],
    [
      "other times of day",
      instantsOf("2023-01-01 2023-02-01T01:00:00Z 2023-03-01"),
      { kind: "fixed", ms: 28 * DAY - DAY / 24 },
    ],
  ] as [string, number[], Step][])("are not %s", (_name, instants, step) => {
    expect(findStep(instants)).toEqual(step);
  });

  test("that are given have the day that all points have in common, or that of the last", () => {
    const given = stepOf("monthly", 1);
    expect(refineStep(given, instantsOf("2023-01-31 2023-02-28"))).toEqual(months(1, 31));
    expect(refineStep(given, instantsOf("2023-01-30 2023-02-28 2023-03-30"))).toEqual(months(1, 30));
    expect(refineStep(given, instantsOf("2023-01-05 2023-02-03 2023-03-30 2023-04-02"))).toEqual(given);
    expect(refineStep(stepOf("quarterly", 1), dates(31, 4, 3))).toEqual(months(3, 31));
    expect(refineStep(stepOf("none", 1), [0, 1])).toEqual({ kind: "even" });
  });

  test("of a time zone begin at its midnight", () => {
    const offsetAt = offsetsOf("Europe/Berlin");
    const instants = instantsOf(
      "2022-12-31T23:00:00Z 2023-01-31T23:00:00Z 2023-02-28T23:00:00Z 2023-03-31T22:00:00Z",
    );
    const step = findStep(instants, offsetAt);
    expect(step).toEqual(months(1));
    expect(Array.from(placePoints(instants, step, { offsetAt }))).toEqual([0, 1, 2, 3]);
    const next = nextInstants(at("2023-08-31T22:00:00Z"), step, 3, offsetAt);
    expect(textOf(next)).toBe("2023-09-30T22:00:00Z 2023-10-31T23:00:00Z 2023-11-30T23:00:00Z");
  });
});

describe("workdays", () => {
  test.each([
    ["all", workdaysOf(3), "2024-01-22 2024-01-23 2024-01-24"],
    [
      "with holidays left out",
      workdaysOf(3, (i) => ![0, 4, 9].includes(i)),
      "2024-01-22 2024-01-23 2024-01-24",
    ],
    ["up to a Thursday", workdaysOf(2).slice(0, -1), "2024-01-12 2024-01-15 2024-01-16"],
    ["up to a Wednesday", workdaysOf(3, (i) => i < 17), "2024-01-18 2024-01-19 2024-01-22"],
  ])("%s", (_name, instants, next) => {
    const given = refineStep(stepOf("workdays", 1), instants);
    if (instants.length >= 10) expect(findStep(instants)).toEqual(workdays);
    expect(textOf(nextInstants(instants.at(-1)!, given, 3))).toBe(next);
  });

  test("are counted across weekends", () => {
    const instants = workdaysOf(3, (i) => ![0, 4, 9].includes(i));
    expect(Array.from(placePoints(instants, workdays))).toEqual([0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13]);
  });

  test("go on over more than a year, and from before 1970", () => {
    const next = nextInstants(at("1969-12-26"), workdays, 270)!;
    expect(textOf(next.slice(0, 5))).toBe("1969-12-29 1969-12-30 1969-12-31 1970-01-01 1970-01-02");
    expect(next.every((instant) => new Date(instant).getUTCDay() % 6 > 0)).toBe(true);
    expect(textOf([next[259]!])).toBe("1970-12-25");
  });

  test.each([
    ["fewer than ten", workdaysOf(2).slice(1), fixed(1)],
    ["some of them", workdaysOf(8, (i) => i % 7 !== 2 && i % 7 !== 3), fixed(3)],
    ["every Monday", workdaysOf(20, (i) => i % 7 === 0), fixed(7)],
    ["with one Saturday", [...workdaysOf(2), at("2024-01-13"), at("2024-01-15")], fixed(1)],
    ["twice a day", workdaysOf(4).flatMap((each) => [each, each + DAY / 2]), fixed(0.5)],
  ] as [string, number[], Step][])("are not %s", (_name, instants, step) => {
    expect(findStep(instants)).toEqual(step);
  });

  test("are those of the time zone", () => {
    const offsetAt = offsetsOf("Asia/Tokyo");
    const instants = workdaysOf(2).map((each) => each - 9 * (DAY / 24));
    expect(findStep(instants, offsetAt)).toEqual(workdays);
    expect(textOf(nextInstants(instants.at(-1)!, workdays, 1, offsetAt))).toBe("2024-01-14T15:00:00Z");
    expect(errorOf(() => placePoints(instants, workdays)).message).toContain("is on a Sunday in UTC");
  });

  test("that are given refuse the first point at a weekend", () => {
    const instants = [...workdaysOf(1), at("2024-01-06"), at("2024-01-07"), at("2024-01-09")];
    expect(errorOf(() => placePoints(instants, workdays))).toMatchObject({
      code: "invalid",
      details: { path: "series.5.timestamp" },
      message: expect.stringMatching(
        /is on a Saturday in UTC: leave out such points, give the granularity daily/,
      ),
    });
  });

  test("that are given refuse two points of a day", () => {
    const instants = instantsOf("2024-01-05T10:00:00Z 2024-01-05T15:00:00Z");
    expect(errorOf(() => placePoints(instants, workdays)).message).toContain("1 workday apart");
  });
});
