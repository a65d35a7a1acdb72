// Recipes of changes of level, hours to weeks old, with and without a season: the new level stays.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { wave, weekShape } from "./shapes.ts";
import { DAY, every, HOUR } from "./timeline.ts";
import { ofSeason, ofStep } from "./tolerance.ts";

export function makeSteps(seed: number): Recipe[] {
  const hourly = [6, 12, 24, 50].flatMap((age) => [
    hours({ age, height: 10, range: 0 }),
    hours({ age, height: -8, range: 0 }),
  ]);
  const daily = [3, 7, 14, 30].flatMap((age) => [
    days({ age, height: 100, range: 0 }),
    days({ age, height: -60, range: 0 }),
  ]);
  return makeRecipes("step", seed, [...hourly, ...daily, smallCounts(), several()]);
}

export function makeSeasonalSteps(seed: number): Recipe[] {
  const hourly = [12, 24, 50, 120].map((age, k) => hours({ age, height: k % 2 ? -30 : 50, range: 20 }));
  const daily = [7, 14, 30].map((age, k) => days({ age, height: k % 2 ? -60 : 100, range: 40 }));
  const odd = [oddSince({ daysAgo: [1] }), oddSince({ daysAgo: [3] }), oddSince({ daysAgo: [3, 4] })];
  return makeRecipes("step with a season", seed, [...hourly, ...daily, ...odd]);
}

/** The season grows and falls with the level: traffic that doubles, by day and by night. */
export function makeStepsByShares(seed: number): Recipe[] {
  const hourly = [12, 24, 50, 120].map((age, k) =>
    hours({ age, height: k % 2 ? -30 : 50, range: 20, byShares: true }),
  );
  const daily = [7, 10, 14, 30].map((age, k) =>
    days({ age, height: k % 2 ? -40 : 60, range: 40, byShares: true }),
  );
  return makeRecipes("step by shares", seed, [...hourly, ...daily]);
}

interface Step {
  /** Points since. */
  readonly age: number;
  readonly height: number;
  /** Of the season; 0: none. */
  readonly range: number;
  /** Whether the season is a share of the level. */
  readonly byShares?: boolean | undefined;
}

function hours({ age, height, range, byShares }: Step): Plan {
  const before = 14 * 24;
  const level = (at: number) => 60 + (range / 2) * wave(at, DAY);
  const cycles = before / 24;
  return {
    ...plan({ age, height, range, byShares }, { before, level, cycles, usual: 60 }),
    name: `${age} h after ${height > 0 ? "+" : ""}${height}${range > 0 ? ", daily season" : ""}`,
    at: every(HOUR),
    horizon: 24,
  };
}

function days({ age, height, range, byShares }: Step): Plan {
  const before = 154 - age;
  const level = (at: number) => 100 + range * weekShape(at);
  return {
    ...plan({ age, height, range, byShares }, { before, level, cycles: before / 7, usual: 100 }),
    name: `${age} d after ${height > 0 ? "+" : ""}${height}${range > 0 ? ", weekly season" : ""}`,
    at: every(DAY),
    horizon: 14,
  };
}

/** Days that are odd do not end a level: neither are they the old one. */
function oddSince({ daysAgo }: { readonly daysAgo: readonly number[] }): Plan {
  const step = days({ age: 12, height: 80, range: 60 });
  return {
    ...step,
    name: `${step.name}, odd ${daysAgo.join(" and ")} d ago`,
    record: (value, i) => (daysAgo.includes(step.length - i) ? 20 : value),
  };
}

interface Before {
  readonly before: number;
  readonly level: (at: number) => number;
  readonly cycles: number;
  /** Level that a height is a part of. */
  readonly usual: number;
}

function plan({ age, height, range, byShares }: Step, { before, level, cycles, usual }: Before) {
  const noise = 0.02 * Math.abs(height);
  const after = (at: number) => (byShares ? level(at) * (1 + height / usual) : level(at) + height);
  return {
    length: before + age,
    value: (i: number, at: number) => (i >= before ? after(at) : level(at)),
    noise,
    tolerance: ofStep({ height, noise, age }) + (range > 0 ? ofSeason({ range, noise, cycles }) : 0),
    isUncertain: true,
  };
}

/** Eight days at 3, then five at 103. */
function smallCounts(): Plan {
  const counts = [3, 4, 3, 2, 3, 4, 3, 2, 103, 104, 103, 102, 103];
  return {
    name: "13 points, 3 then 103",
    at: every(DAY),
    length: counts.length,
    horizon: 5,
    value: (i) => counts[i] ?? 103,
    tolerance: 4,
    isUncertain: true,
  };
}

function several(): Plan {
  const levels = [100, 140, 80, 200];
  const [noise, age] = [3, 40];
  return {
    name: `three steps, the newest ${age} d old`,
    at: every(DAY),
    length: levels.length * age,
    horizon: 14,
    value: (i) => levels[Math.min(levels.length - 1, Math.floor(i / age))]!,
    noise,
    tolerance: ofStep({ height: 120, noise, age }),
    isUncertain: true,
  };
}
