// Quiet series, in which nothing happens: noise, growth, days of the week.
import { type Moment, type Recipe, workday } from "./recipe.ts";

/** Nothing happens. */
function clean(
  name: string,
  step: number,
  valueAt: (moment: Moment) => number,
  more: Partial<Recipe> = {},
): Recipe {
  return {
    name: `${name}, every ${step} s`,
    step,
    trainedDays: 28,
    days: 56,
    planted: {},
    make: () => valueAt,
    ...more,
  };
}

export const noise = ({ random }: Moment) => 100 + 5 * random.normal();
const growth = ({ i, hour, random }: Moment) =>
  1000 * 1.003 ** (i / 48) * (0.4 + workday(hour)) * (1 + 0.03 * random.normal());
const workdays = ({ weekday, random }: Moment) => 100 + 20 * Number(weekday < 5) + 4 * random.normal();

export const quiet: readonly Recipe[] = [
  clean("noise", 60, noise, { trainedDays: 14, days: 28 }),
  clean("noise", 300, noise),
  clean("noise", 3600, noise),
  clean("growth", 1800, growth),
  clean("workdays", 86_400, workdays, { trainedDays: 210, days: 310 }),
];
