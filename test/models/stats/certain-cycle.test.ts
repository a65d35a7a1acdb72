// Certainty of a cycle: two of them prove it where their parts differ by more than noise.
import { describe, expect, test } from "bun:test";
import { alikeness, isCertain, type PartedCycle } from "../../../src/models/stats/certain-cycle.ts";
import { DAY, makeColumn, makeNoise, WEEK } from "../forecasters/support.ts";

const day = { length: DAY, parts: 24 };
const weekOfHours = { length: WEEK, parts: 7 };
const weekOfDays = { length: 7, parts: 7 };
const seeds = Array.from({ length: 100 }, (_, k) => k + 1);
const shareOf = (length: number, cycle: PartedCycle, make: (noise: () => number) => (i: number) => number) =>
  seeds.filter((seed) => isCertain(makeColumn(length, make(makeNoise(seed))), cycle)).length / seeds.length;

describe("a week is certain", () => {
  test.each([14, 18, 27])("after %p days that are lower at weekends", (length) => {
    expect(
      shareOf(length, weekOfDays, (noise) => (i) => (i % 7 >= 5 ? 60 : 100) + 3 * noise()),
    ).toBeGreaterThan(0.95);
  });

  test("by the hour, though days differ within themselves", () => {
    const make = (noise: () => number) => (i: number) =>
      30 * Math.sin((2 * Math.PI * i) / DAY) - (i % WEEK >= 5 * DAY ? 20 : 0) + 3 * noise();
    expect(shareOf(2 * WEEK, weekOfHours, make)).toBe(1);
  });

  test("where the level grows", () => {
    expect(shareOf(21, weekOfDays, () => (i) => 10 * i + (i % 7 >= 5 ? 0 : 40))).toBe(1);
  });

  test("with gaps", () => {
    const column = makeColumn(2 * WEEK, (i) => (i % 5 === 0 ? Number.NaN : i % WEEK >= 5 * DAY ? 0 : 9));
    expect(isCertain(column, weekOfHours)).toBe(true);
  });
});

describe("a day is certain", () => {
  test("after two days with a job at night", () => {
    expect(shareOf(2 * DAY, day, (noise) => (i) => (i % DAY < 3 ? 90 : 50) + 3 * noise())).toBeGreaterThan(
      0.95,
    );
  });
});

test("a year is certain after two of them with a month that stands out, by months and by days", () => {
  const months = makeColumn(26, (i) => (i % 12 === 11 ? 60 : 0) + (i % 2));
  expect(isCertain(months, { length: 12, parts: 12 })).toBe(true);
  const daily = makeColumn(800, (i) => (i % 365 < 31 ? 60 : 0) + (i % 7));
  expect(isCertain(daily, { length: 365.25, parts: 12 })).toBe(true);
});

describe("no cycle is certain", () => {
  test.each([14, 18, 27])("of %p days of noise, or of a walk", (length) => {
    expect(shareOf(length, weekOfDays, (noise) => noise)).toBeLessThan(0.05);
    let level = 0;
    expect(shareOf(length, weekOfDays, (noise) => () => (level += noise()))).toBeLessThan(0.05);
  });

  test("of less than two of it, of a constant, or of gaps", () => {
    expect(
      isCertain(
        makeColumn(13, (i) => (i % 7 >= 5 ? 0 : 9)),
        weekOfDays,
      ),
    ).toBe(false);
    expect(isCertain(new Float64Array(28).fill(5), weekOfDays)).toBe(false);
    expect(isCertain(new Float64Array(28).fill(Number.NaN), weekOfDays)).toBe(false);
  });
});

test("parts a cycle apart are as alike as they differ less than others", () => {
  expect(alikeness(new Float64Array(28).fill(5), weekOfDays)).toBe(1);
  expect(
    alikeness(
      makeColumn(28, (i) => i % 7),
      weekOfDays,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
  expect(
    alikeness(
      makeColumn(28, (i) => (i % 7) + (i % 2)),
      weekOfDays,
    ),
  ).toBeWithin(5, 50);
});
