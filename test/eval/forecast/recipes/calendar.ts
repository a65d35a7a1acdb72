// Recipes of calendar steps: months, quarters and years with their exact dates, and business days.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { businessDays, DAY, every, everyMonths } from "./timeline.ts";
import { ofLine, ofSeason } from "./tolerance.ts";

interface Dates {
  readonly name: string;
  readonly months: number;
  /** First date. */
  readonly start: string;
  readonly length: number;
  readonly horizon: number;
}

const dates: readonly Dates[] = [
  { name: "starts of months", months: 1, start: "2019-01-01", length: 24, horizon: 6 },
  { name: "starts of months, from March on", months: 1, start: "2021-03-01", length: 33, horizon: 12 },
  { name: "ends of months", months: 1, start: "2019-01-31", length: 24, horizon: 6 },
  { name: "ends of months, up to a leap February", months: 1, start: "2022-01-31", length: 25, horizon: 8 },
  { name: "ends of months, from November on", months: 1, start: "2020-11-30", length: 39, horizon: 6 },
  { name: "the 15th", months: 1, start: "2020-06-15", length: 30, horizon: 6 },
  { name: "the 28th", months: 1, start: "2020-06-28", length: 30, horizon: 12 },
  { name: "starts of quarters", months: 3, start: "2016-01-01", length: 24, horizon: 6 },
  { name: "ends of quarters", months: 3, start: "2016-03-31", length: 24, horizon: 8 },
  { name: "starts of years", months: 12, start: "1990-01-01", length: 24, horizon: 6 },
  { name: "ends of years", months: 12, start: "1997-12-31", length: 26, horizon: 6 },
  { name: "starts of fiscal years", months: 12, start: "1995-04-01", length: 28, horizon: 5 },
];

export function makeCalendarSteps(seed: number): Recipe[] {
  return makeRecipes("calendar step", seed, dates.map(line));
}

export function makeBusinessDays(seed: number): Recipe[] {
  return makeRecipes("business days", seed, [
    businessLine({ length: 60, horizon: 10 }),
    businessLine({ length: 128, horizon: 15 }),
    businessWeek({ length: 100, horizon: 10, noise: 0 }),
    businessWeek({ length: 258, horizon: 20, noise: 2 }),
  ]);
}

/** Days that differ on some days of the month. */
export function makeMonthDays(seed: number): Recipe[] {
  return makeRecipes("day of the month", seed, [
    monthDays([15]),
    monthDays([5, 20]),
    monthDays([25, 1]),
    monthDays([-1, -2, -3]),
  ]);
}

function monthDays(days: readonly number[]): Plan {
  return {
    name: `more on ${days.join(" and ")}, daily`,
    at: every(DAY),
    length: 300,
    horizon: 45,
    value: (_, at) => 50 + (days.some((day) => isOn(day, at)) ? 100 : 0),
    noise: 2,
    tolerance: ofSeason({ range: 100, noise: 2, cycles: 9 }),
  };
}

/** Whether a time lies on a day of its month; below 0, counted back from the end. */
function isOn(day: number, at: number): boolean {
  // The day -2 is two days before the next first.
  return new Date((day > 0 ? at : at - day * DAY) * 1000).getUTCDate() === Math.max(1, day);
}

/** One more a step: the dates are what matters. */
function line({ name, months, start, length, horizon }: Dates): Plan {
  return {
    name,
    at: everyMonths(months, start),
    length,
    horizon,
    value: (i) => 100 + i,
    tolerance: ofLine({ slope: 1, length, horizon }),
    isDated: true,
  };
}

function businessLine({ length, horizon }: { length: number; horizon: number }): Plan {
  return {
    name: `line, ${length} points`,
    at: businessDays(),
    length,
    horizon,
    value: (i) => 1000 + 5 * i,
    tolerance: ofLine({ slope: 5, length, horizon }),
    isDated: true,
  };
}

/** Five values that repeat. */
function businessWeek({ length, horizon, noise }: { length: number; horizon: number; noise: number }): Plan {
  const shape = [120, 100, 95, 105, 140];
  return {
    name: `season of five days, ${length} points${noise > 0 ? `, noise ${noise}` : ""}`,
    at: businessDays(),
    length,
    horizon,
    value: (i) => shape[i % shape.length]!,
    noise,
    tolerance: ofSeason({ range: 45, noise, cycles: length / shape.length }),
    isDated: true,
  };
}
