// Certainty of a cycle: two of them prove it where their parts differ by more than noise.
import { describe, expect, test } from "bun:test";
import { alikeness, isCertain } from "../../../../src/models/forecasters/season/certain-cycle.ts";
import { DAY, makeColumn, makeNoise, WEEK } from "../support.ts";

const hours = { day: DAY, week: WEEK };
const days = { week: 7 };
const seeds = Array.from({ length: 100 }, (_, k) => k + 1);
const shareOf = (
  length: number,
  make: (noise: () => number) => (i: number) => number,
  name: "day" | "week",
) =>
  seeds.filter((seed) => {
    const column = makeColumn(length, make(makeNoise(seed)));
    return isCertain(column, length > 100 || name === "day" ? hours : days, name);
  }).length / seeds.length;

describe("a week is certain", () => {
  test.each([14, 18, 27])("after %p days that are lower at weekends", (length) => {
    expect(shareOf(length, (noise) => (i) => (i % 7 >= 5 ? 60 : 100) + 3 * noise(), "week")).toBeGreaterThan(
      0.95,
    );
  });

  test("by the hour, though days differ within themselves", () => {
    const make = (noise: () => number) => (i: number) =>
      30 * Math.sin((2 * Math.PI * i) / DAY) - (i % WEEK >= 5 * DAY ? 20 : 0) + 3 * noise();
    expect(shareOf(2 * WEEK, make, "week")).toBe(1);
  });

  test("where the level grows", () => {
    expect(shareOf(21, () => (i) => 10 * i + (i % 7 >= 5 ? 0 : 40), "week")).toBe(1);
  });

  test("with gaps", () => {
    const column = makeColumn(2 * WEEK, (i) => (i % 5 === 0 ? Number.NaN : i % WEEK >= 5 * DAY ? 0 : 9));
    expect(isCertain(column, hours, "week")).toBe(true);
  });
});

describe("a day is certain", () => {
  test("after two days with a job at night", () => {
    expect(shareOf(2 * DAY, (noise) => (i) => (i % DAY < 3 ? 90 : 50) + 3 * noise(), "day")).toBeGreaterThan(
      0.95,
    );
  });
});

describe("no cycle is certain", () => {
  test.each([14, 18, 27])("of %p days of noise, or of a walk", (length) => {
    expect(shareOf(length, (noise) => noise, "week")).toBeLessThan(0.05);
    let level = 0;
    expect(shareOf(length, (noise) => () => (level += noise()), "week")).toBeLessThan(0.05);
  });

  test("of less than two of it, of a constant, or of gaps", () => {
    expect(
      isCertain(
        makeColumn(13, (i) => (i % 7 >= 5 ? 0 : 9)),
        days,
        "week",
      ),
    ).toBe(false);
    expect(isCertain(new Float64Array(28).fill(5), days, "week")).toBe(false);
    expect(isCertain(new Float64Array(28).fill(Number.NaN), days, "week")).toBe(false);
    expect(
      isCertain(
        makeColumn(28, (i) => i % 7),
        {},
        "week",
      ),
    ).toBe(false);
  });
});

test("parts a cycle apart are as alike as they differ less than others", () => {
  expect(alikeness(new Float64Array(28).fill(5), days, "week")).toBe(1);
  expect(
    alikeness(
      makeColumn(28, (i) => i % 7),
      days,
      "week",
    ),
  ).toBe(Number.POSITIVE_INFINITY);
  expect(
    alikeness(
      makeColumn(28, (i) => (i % 7) + (i % 2)),
      days,
      "week",
    ),
  ).toBeWithin(5, 50);
});
