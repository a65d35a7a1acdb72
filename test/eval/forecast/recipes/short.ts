// Recipes of histories of 3 to 12 points: a constant, a line, and noise around a level.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { DAY, every, everyMonths, HOUR } from "./timeline.ts";
import { ofLine } from "./tolerance.ts";

const lengths = [3, 4, 5, 8, 12];
/** Up to this many points a line may be chance: the last value is as good. */
const MAX_CHANCE = 4;

export function makeShort(seed: number): Recipe[] {
  const plans = lengths.flatMap((length) => [constant(length), line(length), noise(length)]);
  return makeRecipes("short history", seed, [...plans, ...narrow.map(withNarrowBand)]);
}

/** A few cycles, or a few values after a step: the band is no wider than little history makes it. */
const narrow: readonly Omit<Plan, "isUncertain">[] = [
  week(3),
  week(4),
  {
    name: "3 days, daily season",
    at: every(HOUR),
    length: 72,
    horizon: 24,
    value: (i) => 50 + 30 * Math.sin((Math.PI * i) / 12),
    noise: 3,
    tolerance: 4,
  },
  step(20, 10),
  step(28, 14),
  {
    name: "30 days, steep line",
    at: every(DAY),
    length: 30,
    horizon: 10,
    value: (i) => 100 + 10 * i,
    noise: 2,
    tolerance: 4,
  },
];

/** Less than four times the band of noise that is known. */
function withNarrowBand(plan: Plan): Plan {
  return { ...plan, widest: 12 };
}

function week(weeks: number): Plan {
  const amounts = [0, 15, 24, 18, 6, -30, -33];
  return {
    name: `${weeks} weeks, weekly season`,
    at: every(DAY),
    length: 7 * weeks,
    horizon: 14,
    value: (i) => 100 + amounts[i % 7]!,
    noise: 4,
    tolerance: 8,
  };
}

function step(length: number, from: number): Plan {
  return {
    name: `${length} days, +50 after ${from}`,
    at: every(DAY),
    length,
    horizon: 10,
    value: (i) => (i < from ? 100 : 150),
    noise: 4,
    tolerance: 4,
  };
}

function constant(length: number): Plan {
  return {
    name: `${length} points, constant`,
    at: every(HOUR),
    length,
    horizon: 4,
    value: () => 17,
    tolerance: 1e-5,
  };
}

function line(length: number): Plan {
  const horizon = Math.ceil(length / 2);
  const last = 100 + 10 * (length - 1);
  return {
    name: `${length} points, line`,
    at: everyMonths(1, "2023-02-01"),
    length,
    horizon,
    value: (i) => 100 + 10 * i,
    tolerance: ofLine({ slope: 10, length, horizon }) + 0.5,
    ...(length <= MAX_CHANCE && { alternatives: [() => last] }),
    isDated: true,
  };
}

function noise(length: number): Plan {
  const deviation = 5;
  return {
    name: `${length} points, noise`,
    at: every(DAY),
    length,
    horizon: 5,
    value: () => 100,
    noise: deviation,
    // With few points the last value and the mean are both off by the noise.
    tolerance: deviation * (1 + 2 / Math.sqrt(length)),
    isUncertain: true,
  };
}
