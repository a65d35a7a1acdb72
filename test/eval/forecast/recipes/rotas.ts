// Recipes of days that take turns: rotas and jobs of a few days, which are no week, by the hour and by the day.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { officeHours, twoPeaks } from "./shapes.ts";
import { DAY, every, HOUR, MINUTE, utc } from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

const NOISE = 4;
const RANGE = 60;

interface Rota {
  readonly name: string;
  /** Seconds. */
  readonly step: number;
  readonly days: number;
  /** Days until it begins anew. */
  readonly cycle: number;
  /** What a day of the cycle, from 0, adds at a time. */
  readonly adds: (day: number, at: number) => number;
}

const isFirst = (count: number) => (day: number) => (day < count ? RANGE : 0);
const inOffice = (day: number, at: number) => (day < 4 ? RANGE * officeHours(utc(at)) : 0);
const atNight = (day: number, at: number) => (day === 0 && utc(at).hour >= 2 && utc(at).hour < 6 ? RANGE : 0);

const rotas: readonly Rota[] = [
  { name: "4 on 4 off", step: HOUR, days: 49, cycle: 8, adds: isFirst(4) },
  { name: "4 on 4 off in office hours", step: HOUR, days: 50, cycle: 8, adds: inOffice },
  { name: "2 on 3 off", step: 30 * MINUTE, days: 31, cycle: 5, adds: isFirst(2) },
  { name: "a backup each third night", step: HOUR, days: 40, cycle: 3, adds: atNight },
  { name: "4 on 4 off", step: DAY, days: 123, cycle: 8, adds: isFirst(4) },
  { name: "pay each second week", step: DAY, days: 200, cycle: 14, adds: isFirst(1) },
];

export function makeRotas(seed: number): Recipe[] {
  return makeRecipes("days that take turns", seed, rotas.map(plan));
}

function plan({ name, step, days, cycle, adds }: Rota): Plan {
  const at = every(step);
  return {
    name: `${name}, ${step === DAY ? "1 d" : `${step / MINUTE} min`}, ${days} days`,
    at,
    length: (days * DAY) / step,
    horizon: (cycle * DAY) / step,
    value: (i, time) => {
      const day = Math.floor((i * step) / DAY) % cycle;
      return 100 + (step < DAY ? (RANGE / 2) * twoPeaks(utc(time)) : 0) + adds(day, time);
    },
    noise: NOISE,
    tolerance: ofSeason({ range: RANGE, noise: NOISE, cycles: days / cycle }),
  };
}
