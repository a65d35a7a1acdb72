// Recipes of a day and a season beside it that is no part of days and weeks: a job every 50 minutes, a batch every 35 hours.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, wave } from "./shapes.ts";
import { DAY, every, HOUR, MINUTE, utc } from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

const NOISE = 2;
const RANGE = 60;
const JOB = 60;

interface Both {
  /** Seconds. */
  readonly step: number;
  readonly days: number;
  /** Seconds from one job to the next. */
  readonly apart: number;
  /** Share of the time that a job lasts. */
  readonly lasts: number;
  readonly weekends?: true;
}

const both: readonly Both[] = [
  { step: 5 * MINUTE, days: 10, apart: 50 * MINUTE, lasts: 0.2 },
  { step: MINUTE, days: 3, apart: 25 * MINUTE, lasts: 0.12 },
  { step: 15 * MINUTE, days: 28, apart: 3.25 * HOUR, lasts: 0.3, weekends: true },
  { step: HOUR, days: 28, apart: 7 * HOUR, lasts: 0.1 },
  { step: HOUR, days: 42, apart: 35 * HOUR, lasts: 0.02 },
  { step: HOUR, days: 35, apart: 11 * HOUR, lasts: 0.25, weekends: true },
];

export function makeTwoSeasons(seed: number): Recipe[] {
  return makeRecipes("two seasons", seed, both.map(plan));
}

function plan({ step, days, apart, lasts, weekends }: Both): Plan {
  const at = every(step);
  const jobAt = (time: number) => (time % apart < Math.max(step, lasts * apart) ? JOB : 0);
  return {
    name: `a job every ${apart / MINUTE} min on a day, ${step / MINUTE} min, ${days} days`,
    at,
    length: (days * DAY) / step,
    horizon: (2 * DAY) / step,
    value: (i) => {
      const lower = weekends && isWeekend(utc(at(i))) ? RANGE / 3 : 0;
      return 100 + (RANGE / 2) * wave(at(i), DAY) - lower + jobAt(i * step);
    },
    noise: NOISE,
    // No share of the range: a rare job that is missed is a small part of the mean.
    tolerance: ofSeason({ range: 0, noise: NOISE, cycles: weekends ? days / 7 : days }),
  };
}
