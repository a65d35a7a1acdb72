// Recipes of a daily season at five minutes to an hour: waves, office hours, two peaks, and days that rest at zero.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, officeHours, twoPeaks, wave } from "./shapes.ts";
import { DAY, every, HOUR, type LocalTime, MINUTE, utc } from "./timeline.ts";
import { ofSeason, ofSlope } from "./tolerance.ts";

const shapes = {
  wave: (at: number) => (1 + wave(at, DAY)) / 2,
  "office hours": (at: number) => officeHours(utc(at)),
  "two peaks": (at: number) => twoPeaks(utc(at)),
} as const;

interface Season {
  readonly shape: keyof typeof shapes;
  readonly minutes: number;
  readonly days: number;
  readonly noise?: number;
  /** A day. */
  readonly growth?: number;
  /** Hours of the last day. */
  readonly hours?: number;
}

const RANGE = 80;

export function makeDays(seed: number): Recipe[] {
  return makeRecipes(
    "season of a day",
    seed,
    (
      [
        { shape: "wave", minutes: 5, days: 7, noise: 2 },
        { shape: "two peaks", minutes: 5, days: 14 },
        { shape: "wave", minutes: 15, days: 3 },
        { shape: "two peaks", minutes: 15, days: 7, noise: 4 },
        { shape: "office hours", minutes: 15, days: 21, noise: 2 },
        { shape: "office hours", minutes: 30, days: 9 },
        { shape: "two peaks", minutes: 30, days: 28, noise: 8 },
        { shape: "wave", minutes: 60, days: 4 },
        { shape: "two peaks", minutes: 60, days: 10, noise: 4, hours: 15 },
        { shape: "wave", minutes: 60, days: 60, noise: 8 },
      ] as const
    ).map(plan),
  );
}

export function makeGrowingDays(seed: number): Recipe[] {
  return makeRecipes(
    "season of a day that rises",
    seed,
    (
      [
        { shape: "wave", minutes: 60, days: 5, growth: 10 },
        { shape: "wave", minutes: 15, days: 6, noise: 2, growth: 15 },
        { shape: "two peaks", minutes: 60, days: 10, noise: 4, growth: -12 },
        { shape: "wave", minutes: 60, days: 28, noise: 4, growth: 10 },
        { shape: "two peaks", minutes: 30, days: 14, noise: 4, growth: 12 },
      ] as const
    ).map(plan),
  );
}

/** Values by the hour, 0 to 1: zero for half of the day or longer. */
const resting = {
  sun: ({ hour }: LocalTime) => Math.max(0, Math.sin((Math.PI * (hour - 6)) / 12)),
  market: ({ hour }: LocalTime) => (hour >= 9 && hour < 17 ? 0.4 + 0.6 * ((hour - 13) / 4) ** 2 : 0),
  "school days": (time: LocalTime) => (isWeekend(time) ? 0 : Math.max(0, 1 - Math.abs(time.hour - 12) / 4)),
} as const;

interface Rest {
  readonly shape: keyof typeof resting;
  readonly minutes: number;
  readonly days: number;
  /** As a share of the value. */
  readonly noise?: number;
}

export function makeRestingDays(seed: number): Recipe[] {
  return makeRecipes(
    "season that rests at zero",
    seed,
    (
      [
        { shape: "sun", minutes: 15, days: 21, noise: 0.03 },
        { shape: "sun", minutes: 60, days: 14 },
        { shape: "market", minutes: 5, days: 10, noise: 0.05 },
        { shape: "market", minutes: 30, days: 20, noise: 0.05 },
        { shape: "school days", minutes: 15, days: 28, noise: 0.05 },
        { shape: "school days", minutes: 60, days: 28, noise: 0.05 },
      ] as const
    ).map(planRest),
  );
}

function planRest({ shape, minutes, days, noise = 0 }: Rest): Plan {
  const step = minutes * MINUTE;
  return {
    name: `${shape}, ${minutes} min, ${days} days${noise ? `, noise ${100 * noise} %` : ""}`,
    at: every(step),
    length: (days * DAY) / step,
    horizon: (2 * DAY) / step,
    value: (_, at) => 5000 * resting[shape](utc(at)),
    ...(noise > 0 && { noise: (value) => noise * value }),
    tolerance: ofSeason({ range: 5000, noise: 5000 * noise, cycles: days }),
    bounds: { min: 0 },
  };
}

function plan({ shape, minutes, days, noise = 0, growth = 0, hours = 24 }: Season): Plan {
  const step = minutes * MINUTE;
  const length = ((days - 1) * DAY + hours * HOUR) / step;
  const horizon = DAY / step;
  const rise = ofSlope({ slope: growth / horizon, noise, length, horizon });
  return {
    name: `${shape}, ${minutes} min, ${days} days${noise ? `, noise ${noise}` : ""}${growth ? `, ${growth} a day` : ""}`,
    at: every(step),
    length,
    horizon,
    value: (i, at) => 200 + (growth * i * step) / DAY + RANGE * shapes[shape](at),
    noise,
    tolerance: ofSeason({ range: RANGE, noise, cycles: days }) + (growth === 0 ? 0 : rise),
  };
}
