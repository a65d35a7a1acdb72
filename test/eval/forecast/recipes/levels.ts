// Recipes without a pattern: constants, noise around a level, counts that are mostly zero, percentages near 100.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { DAY, every, everyMonths, HOUR, MINUTE, WEEK } from "./timeline.ts";

/** Part of a constant that rounding may take. */
const ROUNDING = 1e-6;

export function makeConstants(seed: number): Recipe[] {
  const grids = [
    { interval: "1 h", at: every(HOUR), value: 42, length: 72 },
    { interval: "5 min", at: every(5 * MINUTE), value: 0, length: 600 },
    { interval: "1 d", at: every(DAY), value: -5, length: 30 },
    { interval: "1 month", at: everyMonths(1, "2021-01-01"), value: 1e9, length: 24 },
    { interval: "1 min", at: every(MINUTE), value: 0.001, length: 120 },
  ];
  const plans = grids.map(({ interval, at, value, length }) => ({
    name: `${value}, ${interval}`,
    at,
    length,
    horizon: 12,
    value: () => value,
    tolerance: ROUNDING * (Math.abs(value) || 1),
  }));
  return makeRecipes("constant", seed, plans);
}

export function makeLevelNoise(seed: number): Recipe[] {
  return makeRecipes("noise around a level", seed, [
    noise({ interval: "1 min", at: every(MINUTE), length: 300, share: 0.05 }),
    noise({ interval: "5 min", at: every(5 * MINUTE), length: 1000, share: 0.3 }),
    noise({ interval: "1 h", at: every(HOUR), length: 100, share: 0.02 }),
    noise({ interval: "1 h", at: every(HOUR), length: 700, share: 0.1 }),
    noise({ interval: "1 d", at: every(DAY), length: 40, share: 0.1 }),
    noise({ interval: "1 d", at: every(DAY), length: 365, share: 0.05 }),
    noise({ interval: "1 w", at: every(WEEK), length: 80, share: 0.05 }),
    noise({ interval: "1 month", at: everyMonths(1, "2019-01-01"), length: 60, share: 0.05 }),
  ]);
}

interface Noise {
  readonly interval: string;
  readonly at: (i: number) => number;
  readonly length: number;
  /** Of the level. */
  readonly share: number;
}

function noise({ interval, at, length, share }: Noise): Plan {
  const deviation = 500 * share;
  return {
    name: `${interval}, ${length} points, noise ${100 * share} %`,
    at,
    length,
    horizon: 14,
    value: () => 500,
    noise: deviation,
    // Beside the error of the mean: who follows the level smooths over five points or more.
    tolerance: deviation * (0.5 + 2 / Math.sqrt(length)),
  };
}

export function makeRareCounts(seed: number): Recipe[] {
  return makeRecipes("counts that are mostly zero", seed, [
    rare({ interval: "1 h", step: HOUR, length: 1000, percent: 0.5 }),
    rare({ interval: "1 h", step: HOUR, length: 700, percent: 2 }),
    rare({ interval: "5 min", step: 5 * MINUTE, length: 2000, percent: 5 }),
    rare({ interval: "1 d", step: DAY, length: 400, percent: 3 }),
  ]);
}

/** The mean is the truth, and as 0, the median, is as good, it may be missed by the mean itself. */
function rare(grid: { interval: string; step: number; length: number; percent: number }): Plan {
  const { interval, step, length, percent } = grid;
  const rate = percent / 100;
  const threshold = quantile(1 - rate);
  return {
    name: `${interval}, ${length} points, ${percent} % are 1`,
    at: every(step),
    length,
    horizon: 48,
    value: () => rate,
    noise: 1,
    record: (value) => (value - rate > threshold ? 1 : 0),
    tolerance: 1.1 * rate,
    bounds: { min: 0 },
    isUncertain: true,
  };
}

/** Of the standard normal distribution, by halving. */
function quantile(share: number): number {
  let [low, high] = [0, 6];
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

/** Share of the standard normal distribution below x, by the trapezoidal rule. */
function normalShare(x: number): number {
  const width = x / 200;
  const density = (z: number) => Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  let sum = (density(0) + density(x)) / 2;
  for (let k = 1; k < 200; k++) sum += density(k * width);
  return 0.5 + sum * width;
}

export function makePercentages(seed: number): Recipe[] {
  return makeRecipes("percentages near 100", seed, [
    percentage({ interval: "1 h", step: HOUR, length: 500, isGiven: true }),
    percentage({ interval: "1 h", step: HOUR, length: 500, isGiven: false }),
    percentage({ interval: "1 d", step: DAY, length: 120, isGiven: true }),
    percentage({ interval: "1 d", step: DAY, length: 120, isGiven: false }),
    filling({ isGiven: true }),
  ]);
}

/** Half of the values are 100. */
function percentage(plan: { interval: string; step: number; length: number; isGiven: boolean }): Plan {
  const { interval, step, length, isGiven } = plan;
  return {
    name: `${interval}, ${length} points, ${isGiven ? "max given" : "max learned"}`,
    at: every(step),
    length,
    horizon: 24,
    // The mean of the values, half of which are cut off.
    value: () => 99.8,
    noise: 0.5,
    record: (value) => Math.round(100 * Math.min(100, value + 0.2)) / 100,
    tolerance: 0.25,
    bounds: { max: 100 },
    ...(isGiven && { options: { max: 100 } }),
  };
}

/** A slope that reaches the bound within the horizon and stays there. */
function filling({ isGiven }: { isGiven: boolean }): Plan {
  return {
    name: "1 h, slope that reaches the given max",
    at: every(HOUR),
    length: 120,
    horizon: 24,
    value: (i) => Math.min(100, 40 + 0.45 * i),
    tolerance: 0.5,
    bounds: { max: 100 },
    ...(isGiven && { options: { max: 100 } }),
  };
}
