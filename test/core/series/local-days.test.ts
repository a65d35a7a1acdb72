// Local days: steps of whole days by the clock of a time zone, across its changes.
import { expect, test } from "bun:test";
import {
  findStep,
  nextInstants,
  placePoints,
  refineStep,
  type Step,
  stepOf,
} from "../../../src/core/series/granularity.ts";
import { areDates } from "../../../src/core/series/local-days.ts";
import { offsetsOf } from "../../../src/core/time/timezone.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const instantsOf = (texts: string) => texts.split(" ").map(at);
const textOf = (instants: readonly number[] = []) =>
  instants.map((instant) => new Date(instant).toISOString().replace(".000Z", "Z")).join(" ");

/** Midnights, `to` exclusive. */
const daily = (zone: string, from: string, to: string) => {
  const instants: number[] = [];
  for (let day = Temporal.PlainDate.from(from); day.toString() < to; day = day.add({ days: 1 }))
    instants.push(day.toZonedDateTime(zone).epochMilliseconds);
  return { instants, offsetAt: offsetsOf(zone)! };
};
const step: Step = { kind: "fixed", ms: DAY, local: true };

test.each([
  [
    "Europe/Berlin",
    "2026-03-20",
    "2026-03-29",
    "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z 2026-03-30T22:00:00Z",
  ],
  [
    "Europe/Berlin",
    "2026-10-10",
    "2026-10-25",
    "2026-10-24T22:00:00Z 2026-10-25T23:00:00Z 2026-10-26T23:00:00Z",
  ],
  [
    "America/New_York",
    "2026-03-01",
    "2026-03-08",
    "2026-03-08T05:00:00Z 2026-03-09T04:00:00Z 2026-03-10T04:00:00Z",
  ],
  [
    "America/New_York",
    "2026-10-20",
    "2026-11-01",
    "2026-11-01T04:00:00Z 2026-11-02T05:00:00Z 2026-11-03T05:00:00Z",
  ],
  [
    "America/Santiago",
    "2026-08-20",
    "2026-09-05",
    "2026-09-05T04:00:00Z 2026-09-06T04:00:00Z 2026-09-07T03:00:00Z",
  ],
])("%s go on from %s across a change", (zone, from, to, next) => {
  const { instants, offsetAt } = daily(zone, from, to);
  expect(findStep(instants, offsetAt)).toEqual(step);
  expect(textOf(nextInstants(instants.at(-1)!, step, 3, offsetAt))).toBe(next);
});

test.each([
  ["Europe/Berlin", "2026-03-28", "2026-03-31"],
  ["Europe/Berlin", "2026-10-24", "2026-10-27"],
  ["America/New_York", "2026-03-07", "2026-03-10"],
  ["America/New_York", "2026-10-31", "2026-11-03"],
])("%s are found in three days around %s", (zone, from, to) => {
  const { instants, offsetAt } = daily(zone, from, to);
  expect(instants).toHaveLength(3);
  expect(findStep(instants, offsetAt)).toEqual(step);
  expect(Array.from(placePoints(instants, step, { offsetAt }))).toEqual([0, 1, 2]);
  expect(refineStep(stepOf("daily", 1), instants, offsetAt)).toEqual(step);
});

test("a midnight that a change skips is the hour after it", () => {
  const offsetAt = offsetsOf("America/Santiago")!;
  const instants = instantsOf(
    "2026-09-04T04:00:00Z 2026-09-05T04:00:00Z 2026-09-06T04:00:00Z 2026-09-07T03:00:00Z",
  );
  expect(findStep(instants, offsetAt)).toEqual(step);
});

test("a time that a change skips or repeats", () => {
  const berlin = offsetsOf("Europe/Berlin")!;
  const skipped = nextInstants(at("2026-03-28T01:30:00Z"), step, 2, berlin);
  expect(textOf(skipped)).toBe("2026-03-29T01:30:00Z 2026-03-30T00:30:00Z");
  const repeated = nextInstants(at("2026-10-24T00:30:00Z"), step, 2, berlin);
  expect(textOf(repeated)).toBe("2026-10-25T00:30:00Z 2026-10-26T01:30:00Z");
  const newYork = offsetsOf("America/New_York")!;
  expect(textOf(nextInstants(at("2026-03-07T07:30:00Z"), step, 1, newYork))).toBe("2026-03-08T07:30:00Z");
});

test("before 1970 as after", () => {
  const { instants, offsetAt } = daily("Europe/Berlin", "1969-12-28", "1970-01-05");
  expect(findStep(instants, offsetAt)).toEqual(step);
});

test("are not those at one time of UTC, nor hours", () => {
  const offsetAt = offsetsOf("Europe/Berlin")!;
  const days = Array.from({ length: 24 }, (_, i) => at("2026-03-20T12:15:00Z") + i * DAY);
  expect(findStep(days, offsetAt)).toEqual({ kind: "fixed", ms: DAY });
  expect(refineStep(stepOf("daily", 1), days, offsetAt)).toEqual({ kind: "fixed", ms: DAY });
  const hours = Array.from({ length: 48 }, (_, i) => at("2026-03-28") + i * HOUR);
  expect(findStep(hours, offsetAt)).toEqual({ kind: "fixed", ms: HOUR });
  expect(refineStep(stepOf("hourly", 24), days, offsetAt)).toEqual({ kind: "fixed", ms: DAY });
});

test.each([
  ["midnights", "2026-03-28 2026-03-29 2026-03-30", true],
  ["one at another time", "2026-03-28 2026-03-29T01:00:00Z", false],
] as [string, string, boolean][])("dates are midnights of UTC: %s", (_name, texts, expected) => {
  expect(areDates(instantsOf(texts))).toBe(expected);
});
