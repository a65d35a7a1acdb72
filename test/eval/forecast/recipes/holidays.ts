// Recipes of holidays in the horizon, daily and hourly: the value of a free day, as on weekends and holidays before.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { officeHours } from "./shapes.ts";
import { DAY, every, freeDaysOf, HOUR, localTimeOf, secondsOf, utc } from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

interface Holiday {
  readonly name: string;
  readonly country: string;
  readonly zone?: string;
  /** First day of the forecast, at midnight UTC. */
  readonly from: string;
  /** Days of the history. */
  readonly days: number;
}

const daily: readonly Holiday[] = [
  { name: "Good Friday", country: "DE", from: "2024-03-28", days: 817 },
  { name: "Labour Day", country: "DE", from: "2024-04-29", days: 800 },
  { name: "Christmas", country: "DE", from: "2024-12-20", days: 1000 },
  { name: "Fourth of July", country: "US", from: "2024-07-01", days: 900 },
  { name: "Victory Day", country: "FR", from: "2024-05-02", days: 850 },
];

const hourly: readonly Holiday[] = [
  { name: "Good Friday", country: "DE", zone: "Europe/Berlin", from: "2024-03-28", days: 180 },
  { name: "Labour Day", country: "DE", zone: "Europe/Berlin", from: "2024-04-30", days: 200 },
  { name: "Thanksgiving", country: "US", zone: "America/New_York", from: "2024-11-27", days: 200 },
];

export function makeHolidays(seed: number): Recipe[] {
  return makeRecipes("holiday", seed, [...daily.map(planDaily), ...hourly.map(planHourly)]);
}

function planDaily({ name, country, from, days }: Holiday): Plan {
  const isFree = freeDaysOf(country);
  const noise = 5;
  return {
    name: `${name}, ${country}, 1 d, ${days} days`,
    at: every(DAY, secondsOf(from) - days * DAY),
    length: days,
    horizon: 10,
    value: (_, at) => (isFree(utc(at)) ? 20 : 200),
    noise,
    tolerance: ofSeason({ range: 100, noise, cycles: days / 7 }),
    options: { holidays: { country } },
    isDated: true,
  };
}

function planHourly({ name, country, zone, from, days }: Holiday): Plan {
  const isFree = freeDaysOf(country);
  const localTime = localTimeOf(zone!);
  const noise = 3;
  return {
    name: `${name}, ${country}, 1 h, ${days} days`,
    at: every(HOUR, secondsOf(from) - days * DAY),
    length: 24 * days,
    horizon: 72,
    value: (_, at) => {
      const time = localTime(at);
      return isFree(time) ? 10 : 10 + 90 * officeHours(time);
    },
    noise,
    tolerance: ofSeason({ range: 90, noise, cycles: days / 7 }),
    options: { holidays: { country }, timezone: zone },
  };
}
