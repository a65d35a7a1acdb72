// Recipes of a yearly season in days, weeks and months, alone, with a week, and with growth.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, monthShape, weekShape, yearWave } from "./shapes.ts";
import { DAY, every, everyMonths, secondsOf, utc, WEEK } from "./timeline.ts";
import { ofSeason, ofSlope } from "./tolerance.ts";

/** Half the range of the year. */
const AMPLITUDE = 40;
/** Part of it: repeating the newest weeks is off by more over the horizon. */
const SHARE_OF_AMPLITUDE = 0.1;

export function makeYears(seed: number): Recipe[] {
  return makeRecipes("season of a year", seed, [
    days({ years: 3, horizon: 60, noise: 4, start: "2020-04-05" }),
    days({ years: 4, horizon: 90, noise: 8 }),
    days({ years: 3, horizon: 60, noise: 4, week: 40, start: "2020-07-01" }),
    days({ years: 5, horizon: 56, noise: 4, week: 40, growth: 25, start: "2019-10-10" }),
    days({ years: 2.6, horizon: 28, noise: 4, start: "2020-09-01" }),
    days({ years: 2.8, horizon: 28, noise: 4, week: 40, start: "2019-06-10" }),
    weeks({ years: 2.7, horizon: 13, noise: 4 }),
    weeks({ years: 4, horizon: 26, noise: 4 }),
    weeks({ years: 6, horizon: 26, noise: 4, growth: 15 }),
    weeks({ years: 3, horizon: 13, noise: 2 }),
    months({ years: 3, noise: 2 }),
    months({ years: 3, noise: 2, growth: 24 }),
    months({ years: 5, noise: 2, growth: 24 }),
    months({ years: 5, noise: 0 }),
    months({ years: 10, noise: 4, growth: -20 }),
    quarters(),
    schoolDays(),
  ]);
}

interface Season {
  readonly years: number;
  readonly horizon?: number;
  readonly noise: number;
  /** Height of a weekly season. */
  readonly week?: number;
  /** A year. */
  readonly growth?: number;
  /** First date: where in the year the forecast begins. */
  readonly start?: string;
}

interface Grid {
  readonly interval: string;
  readonly at: (i: number) => number;
  /** Points of a year. */
  readonly perYear: number;
  readonly shape: (at: number) => number;
}

function days({ week = 0, start = "2020-01-01", ...season }: Season): Plan {
  const at = every(DAY, secondsOf(start));
  return plan(season, {
    interval: week > 0 ? "1 d, with a week" : "1 d",
    at,
    perYear: 365.25,
    shape: (time) => AMPLITUDE * yearWave(time) + week * weekShape(time),
  });
}

function weeks(season: Season): Plan {
  const at = every(WEEK, secondsOf("2018-01-07"));
  return plan(season, { interval: "1 w", at, perYear: 52.18, shape: (time) => AMPLITUDE * yearWave(time) });
}

function months(season: Season): Plan {
  const at = everyMonths(1, "2014-01-01");
  return plan(season, {
    interval: "1 month",
    at,
    perYear: 12,
    shape: (time) => AMPLITUDE * monthShape(time),
  });
}

function quarters(): Plan {
  const at = everyMonths(3, "2014-01-01");
  const shape = (time: number) => AMPLITUDE * monthShape(time);
  return plan({ years: 8, noise: 1, growth: 12 }, { interval: "1 quarter", at, perYear: 4, shape });
}

/** Days of school, without weekends and holidays; the forecast begins in May and reaches into those of summer. */
function schoolDays(): Plan {
  const noise = 4;
  const range = 90;
  const isFree = (time: number) => {
    const date = new Date(time * 1000);
    const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
    return month === 6 || month === 7 || (month === 11 && day > 21) || (month === 0 && day < 5);
  };
  return {
    name: "1 d, days of school and summer holidays, 3.4 years",
    at: every(DAY, secondsOf("2020-01-10")),
    length: 1240,
    horizon: 60,
    value: (_, time) => 10 + (isFree(time) || isWeekend(utc(time)) ? 0 : range),
    noise,
    // First and last days of holidays are as many days of the week off as the years are.
    tolerance: ofSeason({ range, noise, cycles: 3 }) + 0.03 * range,
    isDated: true,
  };
}

function plan(season: Season, { interval, at, perYear, shape }: Grid): Plan {
  const { years, noise, growth = 0, horizon = perYear } = season;
  const length = Math.round(years * perYear);
  const slope = growth / perYear;
  const level = noise * (0.4 + 1 / Math.sqrt(years));
  return {
    name: `${interval}, ${years} years, noise ${noise}${growth ? `, ${growth} a year` : ""}`,
    at,
    length,
    horizon,
    value: (i, time) => 300 + slope * i + shape(time),
    noise,
    tolerance:
      SHARE_OF_AMPLITUDE * AMPLITUDE * (noise > 0 ? 1 : 0.3) +
      level +
      (growth === 0 ? 0 : ofSlope({ slope, noise, length, horizon })),
    isDated: true,
  };
}
