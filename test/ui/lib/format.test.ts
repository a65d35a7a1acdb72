// Times in a zone, numbers in a language, and the meaning of a score.
import { expect, test } from "bun:test";
import {
  createMoments,
  createNumbers,
  formatAge,
  formatDuration,
  formatSeconds,
  formatZone,
  rarityOfScore,
} from "../../../src/ui/lib/format.ts";

const AT = Date.UTC(2015, 0, 27, 3, 30) / 1000;

test("today's times have no date; others have one, in 24 hours and in the zone", () => {
  const utc = createMoments("en", "UTC");
  expect(utc.moment(AT, AT + 3600)).toBe("03:30");
  expect(utc.moment(AT, AT + 100_000)).toBe("Jan 27, 03:30");
  expect(utc.moment(AT, AT - 30 * 86_400)).toBe("Jan 27, 2015, 03:30");
  expect(createMoments("de", "Asia/Tokyo").moment(AT, AT + 100_000)).toBe("27. Jan., 12:30");
  expect(createMoments("de", "Asia/Tokyo").moment(AT, 0)).toBe("27. Jan. 2015, 12:30");
  expect([utc.offset(AT), createMoments("de", "Asia/Kolkata").offset(AT)]).toEqual([0, 19_800]);
  expect(createMoments("en", "America/New_York").offset(AT)).toBe(-18_000);
  expect(utc.date(AT)).toBe("Jan 27");
  expect(utc.whole(AT)).toBe("Tue, Jan 27, 2015, 03:30");
  expect(utc.whole(AT + 5)).toBe("Tue, Jan 27, 2015, 03:30:05");
});

test.each([
  [-3, "0 s"],
  [42.4, "42 s"],
  [59.9, "1 min"],
  [336, "5 min"],
  [3582, "59 min"],
  [4200, "1 h 10 min"],
  [90_061, "1 d 1 h"],
])("an age of %p s is %p", (seconds, text) => expect(formatAge(seconds)).toBe(text));

test.each([
  ["5m", "5 min"],
  ["10s", "10 s"],
  ["7d", "7 d"],
  [5400, "1 h 30 min"],
  ["auto", "auto"],
])("a duration of settings, %p, is %p", (value, text) => expect(formatDuration(value)).toBe(text));

test.each([
  [AT, 3600, "03:30"],
  [AT - 3.5 * 3600, 3600, "Jan 27"],
  [AT, 86_400, "Jan 27"],
  [AT, 31 * 86_400, "Jan 2015"],
])("the axis shows %p in steps of %p s as %p", (seconds, step, label) =>
  expect(createMoments("en", "UTC").tick(seconds, step)).toBe(label));

test("numbers are in the format of the language, with their unit, a dash without one", () => {
  const [de, en] = [createNumbers("de"), createNumbers("en")];
  expect([de.one(2.5e9, "B"), en.one(2.5e9, "B")]).toEqual(["2,5\u00a0GB", "2.5\u00a0GB"]);
  expect([de.one(2000, "%"), en.one(2000, "%")]).toEqual(["2.000\u00a0%", "2,000\u00a0%"]);
  expect([null, undefined, Number.NaN].map((value) => en.one(value, "B"))).toEqual(["–", "–", "–"]);
  expect(de.together([1_014_000, null, 1_000_000], { unit: "B" })).toEqual([
    "1,014\u00a0MB",
    "–",
    "1\u00a0MB",
  ]);
  expect([de.fixed(1, 1), en.fixed(1.26, 1)]).toEqual(["1,0", "1.3"]);
});

test.each([
  [0, "1"],
  [33.4, "100"],
  [50, "1,000"],
  [59, "3,500"],
  [100, "1,000,000"],
])("a score of %p is one in %p", (score, count) => expect(rarityOfScore(score, "en")).toBe(count));

test.each([
  ["Europe/Berlin", 3600, "Berlin, +01:00"],
  ["America/St_Johns", -12_600, "St Johns, -03:30"],
  ["Asia/Kathmandu", 20_700, "Kathmandu, +05:45"],
  ["UTC", 0, "UTC, +00:00"],
])("the zone %s with %p s is shown as %p", (zone, offset, text) =>
  expect(formatZone(zone, offset)).toBe(text));

test("seconds have no sign where they are none", () => {
  const told = (seconds: number) => formatSeconds(seconds, "en");
  expect([1.84, -0.02, 0, -1.5].map(told)).toEqual(["1.8 sec", "0 sec", "0 sec", "-1.5 sec"]);
});
