// Limits ahead: found by a text, placed on an axis of time, linked to the forecast that shows them.
import { expect, test } from "bun:test";
import {
  addressOfLimit,
  endOfDates,
  findLimits,
  placeDates,
  subjectOf,
} from "../../../src/ui/lib/capacity.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;
const limits = [
  { model: "disk", series: { host: "web-1", mount: "/" }, feature: "used" },
  { model: "web", feature: "memory" },
];
const limit = { value: 95.5, type: "high", source: "limit" } as const;

test.each([
  ["", ["disk", "web"]],
  [" WEB ", ["disk", "web"]],
  ["mount=/", ["disk"]],
  ["memory", ["web"]],
  ["none", []],
])("%p is found in the names of models, series and features", (text, models) =>
  expect(findLimits(limits, text).map(({ model }) => model)).toEqual(models));

test("a limit is named by model, series and feature", () =>
  expect(limits.map(subjectOf)).toEqual(["disk host=web-1, mount=/ used", "web memory"]));

test("the forecast reaches a day beyond the date and has the limit as its constraint", () =>
  expect(addressOfLimit({ model: "a b", feature: "f", limit, date: NOW + 2.5 * DAY }, NOW)).toBe(
    "#/models/a%20b/forecast?constraint=f%3Ahigh%3A95.5&to=4d",
  ));

test("that of a series is its own; without a date ahead it has the usual length", () => {
  const series = { host: "a" };
  const address = "#/models/m/series/host%3Aa/forecast?constraint=f%3Ahigh%3A95.5";
  expect(addressOfLimit({ model: "m", series, feature: "f", limit }, NOW)).toBe(address);
  expect(addressOfLimit({ model: "m", series, feature: "f", limit, date: NOW - 3 * DAY }, NOW)).toBe(address);
});

test("the axis ends with the last band; one without an end reaches as far", () => {
  const near = { date: NOW + 2 * DAY, earliest: NOW + DAY, latest: NOW + 4 * DAY };
  const open = { date: NOW + 3 * DAY, earliest: NOW + 2 * DAY, latest: null };
  const end = endOfDates([near, open, {}])!;
  expect(end).toBe(NOW + 4 * DAY);
  expect(placeDates(near, NOW, end)).toEqual({ date: 50, earliest: 25, latest: 100 });
  expect(placeDates(open, NOW, end)).toEqual({ date: 75, earliest: 50, latest: 100 });
  expect(placeDates({}, NOW, end)).toBeUndefined();
  expect(endOfDates([{}])).toBeUndefined();
});

test("dates that have passed are at its start", () =>
  expect(placeDates({ date: NOW - DAY, latest: NOW + DAY }, NOW, NOW + 2 * DAY)).toEqual({
    date: 0,
    earliest: 0,
    latest: 50,
  }));
