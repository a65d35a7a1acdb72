// Recipes of a weekly season, hourly and daily, without and with growth.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, officeHours, twoPeaks, weekShape } from "./shapes.ts";
import { DAY, every, HOUR, MINUTE, utc, WEEK } from "./timeline.ts";
import { ofSeason, ofSlope } from "./tolerance.ts";

const shapes = {
  "days of a week": (at: number) => 80 * weekShape(at),
  "low weekends": (at: number) => 80 * twoPeaks(utc(at)) * (isWeekend(utc(at)) ? 0.3 : 1),
  "closed weekends": (at: number) => (isWeekend(utc(at)) ? 0 : 80 * officeHours(utc(at))),
} as const;

interface Season {
  readonly shape: keyof typeof shapes;
  /** Seconds. */
  readonly step: number;
  readonly weeks: number;
  /** Points. */
  readonly horizon: number;
  readonly noise?: number;
  /** A week. */
  readonly growth?: number;
  /** Days of the last week. */
  readonly days?: number;
}

const seasons: readonly Season[] = [
  { shape: "low weekends", step: HOUR, weeks: 3, horizon: 168, noise: 4 },
  { shape: "low weekends", step: HOUR, weeks: 5, horizon: 168, noise: 2 },
  { shape: "closed weekends", step: HOUR, weeks: 4, horizon: 72, days: 5 },
  { shape: "closed weekends", step: HOUR, weeks: 8, horizon: 168, noise: 4, days: 4 },
  { shape: "closed weekends", step: 30 * MINUTE, weeks: 4, horizon: 96, noise: 4, days: 5 },
  { shape: "days of a week", step: DAY, weeks: 4, horizon: 14 },
  { shape: "days of a week", step: DAY, weeks: 8, horizon: 14, noise: 4, days: 3 },
  { shape: "days of a week", step: DAY, weeks: 16, horizon: 28, noise: 8 },
  { shape: "days of a week", step: DAY, weeks: 40, horizon: 28, noise: 8, days: 5 },
  { shape: "days of a week", step: DAY, weeks: 12, horizon: 14, growth: 21 },
  { shape: "days of a week", step: DAY, weeks: 20, horizon: 14, noise: 4, growth: -14 },
  { shape: "low weekends", step: HOUR, weeks: 6, horizon: 168, noise: 4, growth: 20 },
];

export function makeWeeks(seed: number): Recipe[] {
  return makeRecipes("season of a week", seed, seasons.map(plan));
}

/** Days of the week that opened or closed some weeks ago: they stay as they are now. */
export function makeChangedWeeks(seed: number): Recipe[] {
  return makeRecipes("week that changes", seed, [
    change("Sundays opened 3 weeks ago, 1 d", { step: DAY, weekday: 6, weeks: 20, since: 3, opens: true }),
    change("Saturdays closed 4 weeks ago, 1 d", { step: DAY, weekday: 5, weeks: 16, since: 4, opens: false }),
    change("Fridays closed 4 weeks ago, 1 h", { step: HOUR, weekday: 4, weeks: 12, since: 4, opens: false }),
  ]);
}

interface Change {
  readonly step: number;
  /** Monday = 0. */
  readonly weekday: number;
  readonly weeks: number;
  /** Weeks since the change. */
  readonly since: number;
  readonly opens: boolean;
}

function change(name: string, { step, weekday, weeks, since, opens }: Change): Plan {
  const range = 100;
  const noise = 4;
  const length = (weeks * WEEK) / step;
  const changed = length - (since * WEEK) / step;
  return {
    name,
    at: every(step),
    length,
    horizon: (2 * WEEK) / step,
    value: (i, at) => {
      const isClosed = utc(at).weekday === weekday && i >= changed !== opens;
      return 50 + (isClosed ? 0 : range * (step === DAY ? 1 : twoPeaks(utc(at))));
    },
    noise,
    tolerance: ofSeason({ range: 0, noise, cycles: since }) + 0.01 * range,
  };
}

function plan({ shape, step, weeks, horizon, noise = 0, growth = 0, days = 7 }: Season): Plan {
  const length = ((weeks - 1) * WEEK + days * DAY) / step;
  const slope = (growth * step) / WEEK;
  // What falls stays well above 0, which may be taken for a bound.
  const level = 300 - Math.min(0, growth) * weeks;
  const texts = [noise > 0 && `noise ${noise}`, growth !== 0 && `${growth} a week`].filter(Boolean);
  return {
    name: [`${shape}, ${step === DAY ? "1 d" : `${step / MINUTE} min`}, ${weeks} weeks`, ...texts].join(", "),
    at: every(step),
    length,
    horizon,
    value: (i, at) => level + slope * i + shapes[shape](at),
    noise,
    tolerance:
      ofSeason({ range: 80, noise, cycles: weeks }) +
      (growth === 0 ? 0 : ofSlope({ slope, noise, length, horizon })),
  };
}
