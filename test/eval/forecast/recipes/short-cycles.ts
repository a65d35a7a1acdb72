// Recipes of two or three cycles, whose newest values show only a part of one: weekends after a Friday, Decembers after an October.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, monthShape, officeHours, wave } from "./shapes.ts";
import { DAY, every, everyMonths, HOUR, MINUTE, utc, WEEK } from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

const NOISE = 3;
const RANGE = 40;

const shapes = {
  "lower at weekends": (at: number) => wave(at, DAY) / 2 - (isWeekend(utc(at)) ? 0.5 : 0),
  "lower on Sundays": (at: number) => (utc(at).weekday === 6 ? -0.6 : 0),
  "a job each night": (at: number) => (utc(at).hour >= 2 && utc(at).hour < 5 ? 1 : 0),
  "a dip at noon": (at: number) => (utc(at).hour >= 12 && utc(at).hour < 14 ? -0.75 : 0),
  "office hours": (at: number) => officeHours(utc(at)),
} as const;

interface Partial {
  readonly shape: keyof typeof shapes;
  /** Seconds. */
  readonly step: number;
  readonly days: number;
  /** Seconds; the forecast is as long. */
  readonly cycle: number;
}

const partials: readonly Partial[] = [
  { shape: "lower at weekends", step: 5 * MINUTE, days: 14, cycle: WEEK },
  { shape: "lower at weekends", step: HOUR, days: 14, cycle: WEEK },
  { shape: "lower at weekends", step: HOUR, days: 19, cycle: WEEK },
  { shape: "lower at weekends", step: HOUR, days: 20, cycle: WEEK },
  { shape: "lower on Sundays", step: HOUR, days: 20, cycle: WEEK },
  { shape: "lower on Sundays", step: DAY, days: 27, cycle: WEEK },
  { shape: "a job each night", step: HOUR, days: 2, cycle: DAY },
  { shape: "a job each night", step: 15 * MINUTE, days: 2.5, cycle: DAY },
  { shape: "a job each night", step: 5 * MINUTE, days: 2.875, cycle: DAY },
  { shape: "a dip at noon", step: HOUR, days: 3, cycle: DAY },
  { shape: "a dip at noon", step: 15 * MINUTE, days: 3.5, cycle: DAY },
  { shape: "office hours", step: HOUR, days: 2.75, cycle: DAY },
];

export function makeShortCycles(seed: number): Recipe[] {
  const years = [year("December", 34), year("December", 30), year("summer", 35)];
  return makeRecipes("few cycles, the last in part", seed, [...partials.map(plan), ...years]);
}

const months = {
  December: (month: number) => (month === 11 ? 1 : 0),
  summer: (month: number) => monthShape(Date.UTC(2021, month) / 1000) / 2,
} as const;

/** A year by months that has come twice and a part. */
function year(highest: keyof typeof months, length: number): Plan {
  return {
    name: `most in ${highest}, ${length} months`,
    at: everyMonths(1, "2021-01-01"),
    length,
    horizon: 12,
    value: (i) => 100 + 1.5 * RANGE * months[highest](i % 12),
    noise: NOISE,
    tolerance: ofSeason({ range: 1.5 * RANGE, noise: NOISE, cycles: 2 }),
  };
}

function plan({ shape, step, days, cycle }: Partial): Plan {
  const cycles = Math.floor((days * DAY) / cycle);
  return {
    name: `${shape}, ${step === DAY ? "1 d" : `${step / MINUTE} min`}, ${days} days`,
    at: every(step),
    length: (days * DAY) / step,
    horizon: cycle / step,
    value: (_, at) => 100 + RANGE * shapes[shape](at),
    noise: NOISE,
    tolerance: ofSeason({ range: RANGE, noise: NOISE, cycles }),
  };
}
