// Extra period: a season that is no part of days and weeks is found beside them, and none where one of them is all there is.
import { expect, test } from "bun:test";
import { findExtraPeriod } from "../../../src/models/stats/extra-period.ts";
import { HOUR, makeColumn, makeNoise } from "../forecasters/support.ts";

const daily = (i: number) => 30 * Math.sin((2 * Math.PI * i) / 24);
const weekend = (i: number) => (Math.floor(i / 24) % 7 < 5 ? 0 : -20);
const every = (cycle: number) => (i: number) => (i % cycle === 0 ? 40 : 0);

function find(make: (i: number) => number, points = 28 * 24, intervalMs = HOUR): number | undefined {
  const noise = makeNoise(5);
  return findExtraPeriod(
    makeColumn(points, (i) => 100 + make(i) + 2 * noise()),
    intervalMs,
  );
}

test.each([7, 11, 35, 37])("a job every %i h beside a day", (cycle) => {
  expect(find((i) => daily(i) + every(cycle)(i))).toBe(cycle);
});

test("beside days that differ at weekends", () => {
  expect(find((i) => daily(i) + weekend(i) + every(11)(i))).toBe(11);
});

/** Half of the days of a cycle are busy. */
const turns = (days: number) => (i: number) => (Math.floor(i / 24) % days < days / 2 ? 50 : 0);

test.each([3, 5, 8, 14])("a rota of %i days, which holds the course of the day", (days) => {
  expect(find((i) => daily(i) + turns(days)(i), 56 * 24)).toBe(24 * days);
});

test("a rota of 8 days whose free days have another course", () => {
  expect(find((i) => daily(i) * turns(8)(i), 56 * 24)).toBe(24 * 8);
});

test("none of single values a day, whose only season that is", () => {
  expect(find((i) => (i % 8 < 4 ? 50 : 0), 200, 24 * HOUR)).toBeUndefined();
});

test.each([
  ["a day alone", daily],
  ["days and weeks", (i: number) => daily(i) + weekend(i)],
  ["a part of a day", (i: number) => daily(i) + every(6)(i)],
  ["a season without days", (i: number) => every(7)(i)],
  ["noise", () => 0],
])("none: %s", (_, make) => {
  expect(find(make)).toBeUndefined();
});

test("none of less than three days, or of intervals that are no part of one", () => {
  const both = (i: number) => daily(i) + every(7)(i);
  expect(find(both, 71)).toBeUndefined();
  expect(find(both, 28 * 24, 7 * HOUR)).toBeUndefined();
});
