// Recipes: the same for a seed, and truths that continue their series. Judgements: right, and wrong in each way.
import { describe, expect, test } from "bun:test";
import { judge, judgeBy } from "./judge.ts";
import { allRecipes, recipeKinds } from "./recipes/index.ts";
import type { Recipe } from "./recipes/recipe.ts";
import {
  businessDays,
  everyMonths,
  freeDaysOf,
  localMidnights,
  localTimeOf,
  secondsOf,
  utc,
} from "./recipes/timeline.ts";

const recipes = allRecipes(1);
const { signal } = new AbortController();

function timesOf({ series }: Recipe): number[] {
  return series.map(({ timestamp }) => (typeof timestamp === "number" ? timestamp : secondsOf(timestamp)));
}

/** The truth, with a band of 90 % that keeps to the bounds. */
function perfect({ truth, dates, noise, bounds }: Recipe) {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds;
  const keep = (value: number) => Math.min(max, Math.max(min, value));
  return {
    timestamps: dates,
    predicted: truth,
    lower: truth.map((value) => keep(value - 1.645 * noise)),
    upper: truth.map((value) => keep(value + 1.645 * noise)),
  };
}

describe("recipes", () => {
  test("are the same for the same seed, and have other noise for another", () => {
    expect(allRecipes(1)).toEqual(recipes);
    const [one, other] = [1, 2].map((seed) => allRecipes(seed).filter(({ noise }) => noise > 0));
    expect(one!.map(({ name }) => name)).toEqual(other!.map(({ name }) => name));
    for (const [i, { series, kind }] of one!.entries())
      if (kind !== "counts that are mostly zero") expect(series).not.toEqual(other![i]!.series);
  });

  test("have names of their own", () => {
    const names = recipes.map(({ kind, name }) => `${kind}: ${name}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(recipeKinds.length).toBeGreaterThan(15);
  });

  test("have dates that ascend from the newest point on, as many as values", () => {
    for (const recipe of recipes) {
      const times = [...timesOf(recipe), ...recipe.dates];
      expect(times.every((at, i) => i === 0 || at > times[i - 1]!)).toBe(true);
      expect([recipe.truth.length, recipe.observed.length]).toEqual([
        recipe.dates.length,
        recipe.dates.length,
      ]);
      for (const { length } of recipe.alternatives) expect(length).toBe(recipe.dates.length);
    }
  });

  test("have finite values, and a tolerance above 0", () => {
    for (const { series, truth, observed, tolerance } of recipes) {
      const values = [...series.map(({ value }) => value), ...truth, ...observed];
      expect(values.every(Number.isFinite)).toBe(true);
      expect(tolerance).toBeGreaterThan(0);
    }
  });

  test("are right for the truth, with each seed", () => {
    const wrong = [1, 2, 3].flatMap((seed) =>
      allRecipes(seed).map((recipe) => [recipe.name, judge(recipe, perfect(recipe))]),
    );
    expect(wrong.filter(([, reason]) => reason !== undefined)).toEqual([]);
  });

  test("of lines without noise are wrong for a forecast that is one interval ahead", () => {
    for (const recipe of recipes.filter(({ kind }) => kind === "line")) {
      const slope = recipe.truth[1]! - recipe.truth[0]!;
      const ahead = recipe.truth.map((value) => value + slope);
      expect(judge(recipe, { ...perfect(recipe), predicted: ahead, lower: ahead, upper: ahead })).toContain(
        "MAE",
      );
    }
  });
});

describe("timelines", () => {
  const datesOf = (at: (i: number) => number, count: number) =>
    Array.from({ length: count }, (_, i) => new Date(at(i) * 1000).toISOString().slice(0, 10));

  test("keep the day of a month, and ends of months", () => {
    expect(datesOf(everyMonths(1, "2023-12-31"), 4)).toEqual([
      "2023-12-31",
      "2024-01-31",
      "2024-02-29",
      "2024-03-31",
    ]);
    expect(datesOf(everyMonths(3, "2023-11-15"), 3)).toEqual(["2023-11-15", "2024-02-15", "2024-05-15"]);
  });

  test("leave out weekends", () => {
    expect(datesOf(businessDays(), 6).slice(3)).toEqual(["2024-01-04", "2024-01-05", "2024-01-08"]);
  });

  test("follow the clock of a zone", () => {
    const berlin = localTimeOf("Europe/Berlin");
    expect(berlin(secondsOf("2024-03-31T00:30Z")).hour).toBe(1.5);
    expect(berlin(secondsOf("2024-03-31T01:30Z")).hour).toBe(3.5);
    const midnight = localMidnights("Europe/Berlin", "2024-03-30");
    expect([0, 1, 2].map((i) => midnight(i + 1) - midnight(i))).toEqual([86_400, 82_800, 86_400]);
  });

  test("know weekends and holidays", () => {
    const isFree = freeDaysOf("DE");
    const days = ["2024-03-28", "2024-03-29", "2024-03-30", "2024-04-01", "2024-04-02"];
    expect(days.map((day) => isFree(utc(secondsOf(day))))).toEqual([false, true, true, true, false]);
  });
});

describe("a judgement", () => {
  const recipe: Recipe = {
    kind: "level",
    name: "12 points",
    series: [],
    options: {},
    dates: Array.from({ length: 12 }, (_, i) => 86_400 * i),
    truth: Array.from({ length: 12 }, () => 100),
    alternatives: [],
    observed: Array.from({ length: 12 }, (_, i) => 100 + (i % 2 === 0 ? 1 : -1)),
    tolerance: 1,
    noise: 1,
    bounds: { max: 110 },
    widest: 12,
  };
  const right = perfect(recipe);
  const shift = (values: readonly number[], by: number) => values.map((value) => value + by);
  const moved = (by: number) => ({
    timestamps: right.timestamps,
    predicted: shift(right.predicted, by),
    lower: shift(right.lower, by),
    upper: shift(right.upper, by),
  });

  test("has no reason for the truth", () => {
    expect(judge(recipe, right)).toBeUndefined();
  });

  test("names each fault with its numbers", () => {
    const dates = shift(right.timestamps, 86_400);
    expect(judge(recipe, { ...right, timestamps: dates })).toBe("date 1 is 1970-01-02 for 1970-01-01");
    const { timestamps: _, ...undated } = right;
    expect(judge(recipe, undated)).toBe("no timestamps");
    expect(judge(recipe, { ...right, predicted: [1] })).toBe("1 values of predicted for 12");
    expect(judge(recipe, { ...right, upper: shift(right.upper, Number.NaN) })).toBe("upper[0] is NaN");
    expect(judge(recipe, { ...right, lower: shift(recipe.truth, 0.5) })).toContain(
      "outside its band [100.5, 101.6]",
    );
    expect(judge(recipe, moved(2))).toBe(
      "MAE 2 > 1; first 102 for 100, last 102 for 100; the band holds 50 % of the truth",
    );
    expect(judge(recipe, { ...right, upper: shift(recipe.truth, 9) })).toBeUndefined();
    expect(judge(recipe, { ...right, upper: shift(recipe.truth, 10), lower: shift(recipe.truth, -3) })).toBe(
      "the band is 13 wide for noise of 1",
    );
    expect(judge(recipe, { ...right, lower: recipe.truth, upper: shift(recipe.truth, 10.4) })).toContain(
      "110.4 is above 110",
    );
  });

  test("accepts an alternative", () => {
    const level = shift(recipe.truth, 2);
    const alike = { ...recipe, alternatives: [level], observed: level };
    expect(judge(alike, moved(2))).toBeUndefined();
  });

  test("takes a refusal for wrong", async () => {
    const refuse = () => Promise.reject(new Error("at least 12 are needed"));
    const { reason } = await judgeBy(refuse, recipe, signal);
    expect(reason).toBe("refused: at least 12 are needed");
    expect(await judgeBy(() => Promise.resolve(right), recipe, signal)).toEqual({ recipe });
  });
});
