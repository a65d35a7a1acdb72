// Seasonal forecasts by hand: medians of the same time, shifted to the present level.
import { describe, expect, test } from "bun:test";
import {
  predictSeasonal,
  type SeasonName,
} from "../../../../src/models/forecasters/members/seasonal-medians.ts";
import { leadsTo, makeColumn } from "../support.ts";

/** Days of four intervals have no neighbours in time: every forecast can be worked out on paper. */
const scale = { day: 4, week: 28, levelSpan: 8 };
const shape = [1, 2, 4, 8];

function predict(
  column: Float64Array,
  season: SeasonName,
  options: { follow?: number; leads?: number } = {},
) {
  const member = { season, follow: options.follow ?? 0 };
  const target = { origin: column.length, leads: leadsTo(options.leads ?? 4) };
  return Array.from(predictSeasonal(column, target, { member, scale }));
}

const days = (count: number, value: (day: number, slot: number) => number) =>
  makeColumn(4 * count, (i) => value(Math.floor(i / 4), i % 4));

describe("predicts a recurring pattern", () => {
  test.each(["day", "mixed"] as const)("%s", (season) => {
    expect(
      predict(
        days(20, (_, slot) => shape[slot]!),
        season,
      ),
    ).toEqual(shape);
  });

  test("week: each weekday its own", () => {
    const column = days(28, (day, slot) => shape[slot]! + 10 * (day % 7));
    expect(predict(column, "week", { leads: 8 })).toEqual([1, 2, 4, 8, 11, 12, 14, 18]);
  });

  test("none: the median of the last values, whatever the lead", () => {
    const column = makeColumn(20, (i) => (i % 2 === 0 ? 4 : 6));
    expect(predict(column, "none")).toEqual([5, 5, 5, 5]);
  });

  test("beyond a cycle it begins anew", () => {
    const column = days(20, (_, slot) => shape[slot]!);
    expect(predict(column, "day", { leads: 12 })).toEqual([...shape, ...shape, ...shape]);
  });
});

test("less than a week of history: other weekdays must do", () => {
  expect(
    predict(
      days(5, (_, slot) => shape[slot]!),
      "week",
    ),
  ).toEqual(shape);
});

describe("ignores a pattern seen only once", () => {
  test("a bad week among five is outvoted", () => {
    const column = days(35, (day, slot) => shape[slot]! + (day >= 14 && day < 21 ? 500 : 0));
    expect(predict(column, "week")).toEqual(shape);
  });

  test("another weekday counts a tenth in mixed: the weekend stays itself", () => {
    const column = days(33, (day, slot) => shape[slot]! + (day % 7 >= 5 ? 100 : 0));
    expect(predict(column, "mixed")).toEqual([101, 102, 104, 108]);
  });
});

describe("gaps", () => {
  test("missing values are left out", () => {
    const column = days(28, (day, slot) => (day === 21 || slot === 3 ? Number.NaN : shape[slot]!));
    const [first, second, third, fourth] = predict(column, "week");
    expect([first, second, third]).toEqual([1, 2, 4]);
    // Never seen at this time: the level of the last values instead.
    expect(fourth).toBe(2);
  });

  test("a long gap before the origin: the level is looked for further back", () => {
    const column = makeColumn(200, (i) => (i < 50 ? 7 : Number.NaN));
    expect(predict(column, "none")).toEqual([7, 7, 7, 7]);
  });

  test.each(["week", "day", "mixed", "none"] as const)("%s: nothing known, nothing foretold", (season) => {
    expect(
      predict(
        makeColumn(40, () => Number.NaN),
        season,
      ),
    ).toEqual(new Array(4).fill(Number.NaN));
    expect(predict(new Float64Array(0), season)).toEqual(new Array(4).fill(Number.NaN));
  });
});

test("a lasting change of level is followed by the share asked for, a new one at once and for a while", () => {
  // The last span lies 10 higher than the weeks before it.
  const column = days(30, (day) => (day >= 28 ? 60 : 50));
  const [first, , , , , , , , later] = predict(column, "week", { follow: 0.5, leads: 9 });
  // 0.5 of 10 lasts; of the other 5, 0.6 is followed at first and a tenth of that a span later.
  expect(first).toBeCloseTo(50 + 5 + 3, 10);
  expect(later).toBeCloseTo(50 + 5 + 0.3, 10);
});

test("a place that came once before the span has no deviation: a weekend is not below a Wednesday", () => {
  const daily = { day: 1, week: 7, levelSpan: 8 };
  const column = makeColumn(14, (i) => [80, 90, 100, 95, 70, 15, 5][i % 7]!);
  const target = { origin: 14, leads: leadsTo(7) };
  const member = { season: "week", follow: 0.5 } as const;
  expect(Array.from(predictSeasonal(column, target, { member, scale: daily }))).toEqual([
    80, 90, 100, 95, 70, 15, 5,
  ]);
});
