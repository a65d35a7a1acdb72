// Recipes of growth by a share each step, and of months that grow from year to year with their season.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { monthShape } from "./shapes.ts";
import { DAY, every, everyMonths, HOUR, WEEK } from "./timeline.ts";

/** Part of the growth over the horizon; straight on from the last points would be two to four times as far off. */
const SHARE_OF_GROWTH = 0.05;
/** A share that grows has noise that grows. */
const NOISE = 0.01;

export function makeGrowth(seed: number): Recipe[] {
  return makeRecipes("growth by share", seed, [
    growth({ interval: "1 d", at: every(DAY), length: 60, horizon: 14, percent: 3 }),
    growth({ interval: "1 d", at: every(DAY), length: 100, horizon: 14, percent: 5 }),
    growth({ interval: "1 d", at: every(DAY), length: 120, horizon: 14, percent: 1 }),
    growth({ interval: "1 d", at: every(DAY), length: 90, horizon: 14, percent: 2, noise: NOISE }),
    growth({ interval: "1 h", at: every(HOUR), length: 72, horizon: 12, percent: 2 }),
    growth({ interval: "1 w", at: every(WEEK), length: 104, horizon: 13, percent: 1 }),
    growth({ interval: "1 w", at: every(WEEK), length: 52, horizon: 13, percent: 3, noise: NOISE }),
    growth({ interval: "1 month", at: everyMonths(1, "2019-01-01"), length: 48, horizon: 12, percent: 2 }),
    growth({ interval: "1 month", at: everyMonths(1, "2020-01-01"), length: 36, horizon: 6, percent: 5 }),
  ]);
}

export function makeMonthlyGrowth(seed: number): Recipe[] {
  const plans = [3, 4, 5, 8, 12].map((years) => months({ years, percent: years % 2 === 0 ? 15 : 8 }));
  return makeRecipes("season that grows", seed, plans);
}

/** Rollouts and migrations (logistic) that have passed their middle, and what fills evenly with what is left. */
export function makeLimits(seed: number): Recipe[] {
  return makeRecipes("growth to a limit", seed, [
    curve("rollout", { interval: "1 h", at: every(HOUR), length: 240, horizon: 48, middle: 140, width: 22 }),
    curve("rollout", { interval: "1 w", at: every(WEEK), length: 100, horizon: 13, middle: 50, width: 9 }),
    curve("migration", { interval: "1 d", at: every(DAY), length: 120, horizon: 21, middle: 75, width: 14 }),
    {
      name: "members with churn, 1 d, 90 points",
      at: every(DAY),
      length: 90,
      horizon: 30,
      value: (i) => LIMIT * (1 - 0.9 * 0.95 ** i),
      noise: LIMIT_NOISE,
      tolerance: SHARE_OF_LIMIT * LIMIT,
    },
  ]);
}

const LIMIT = 1000;
const LIMIT_NOISE = 4;
/** The line of the last points would be five times as far off. */
const SHARE_OF_LIMIT = 0.015;

interface Curve {
  readonly interval: string;
  readonly at: (i: number) => number;
  readonly length: number;
  readonly horizon: number;
  /** Points to its middle, and those in which what is left falls to a third. */
  readonly middle: number;
  readonly width: number;
}

function curve(name: "rollout" | "migration", { interval, at, length, horizon, middle, width }: Curve): Plan {
  const sign = name === "rollout" ? 1 : -1;
  return {
    name: `${name}, ${interval}, ${length} points`,
    at,
    length,
    horizon,
    value: (i) => 50 + LIMIT / (1 + Math.exp((sign * (middle - i)) / width)),
    noise: LIMIT_NOISE,
    tolerance: SHARE_OF_LIMIT * LIMIT,
    // What came before the middle told nothing of the limit.
    isUncertain: true,
  };
}

interface Growth {
  readonly interval: string;
  readonly at: (i: number) => number;
  readonly length: number;
  readonly horizon: number;
  readonly percent: number;
  /** Share of the value. */
  readonly noise?: number;
}

function growth({ interval, at, length, horizon, percent, noise = 0 }: Growth): Plan {
  const value = (i: number) => 10 * (1 + percent / 100) ** i;
  const last = value(length - 1);
  return {
    name: `${percent} % each ${interval}, ${length} points${noise > 0 ? ", noise 1 %" : ""}`,
    at,
    length,
    horizon,
    value,
    noise: (x) => noise * x,
    tolerance: SHARE_OF_GROWTH * (value(length + horizon) - last) + 2 * noise * last,
  };
}

/** Season of 30 % of a level that grows by a share each year. */
function months({ years, percent }: { years: number; percent: number }): Plan {
  const at = everyMonths(1, `${2024 - years}-01-01`);
  const level = (i: number) => 200 * (1 + percent / 100) ** (i / 12);
  const length = 12 * years;
  const last = level(length);
  return {
    name: `months of ${years} years, ${percent} % a year`,
    at,
    length,
    horizon: 12,
    value: (i, time) => level(i) * (1 + 0.3 * monthShape(time)),
    noise: (x) => NOISE * x,
    // The season of the newest year is 2 % of the level off at most; repeating it would be 4 to 8 %.
    tolerance: 0.02 * last,
    isDated: true,
  };
}
