// Totals of days and of half days: growth, days of the week, and a day that falls short or exceeds.
import type { Moment, Recipe } from "./recipe.ts";

const DAY_S = 86_400;

/** Nothing but one odd day. */
function totals(
  name: string,
  type: "low" | "high",
  usual: (moment: Moment) => number,
  more: Partial<Recipe> = {},
): Recipe {
  const step = more.step ?? DAY_S;
  return {
    name: `${name}, every ${step} s`,
    step,
    trainedDays: 90,
    days: 180,
    planted: { odd: { day: 130, hour: 0, minutes: 1440, type } },
    make: () => (moment) => usual(moment) * (moment.during("odd") ? (type === "low" ? 0.5 : 1.5) : 1),
    ...more,
  };
}

const noise = ({ random }: Moment, share: number) => 1 + share * random.normal();

export const days: readonly Recipe[] = [
  totals("backup size that grows", "low", (m) => 100 * 1.006 ** m.day * noise(m, 0.02)),
  totals("rows that grow", "high", (m) => (1000 + 8 * m.day) * noise(m, 0.03)),
  totals("sales that grow", "low", (m) => (m.weekday < 5 ? 1000 : 400) * (1 + 0.01 * m.day) * noise(m, 0.05)),
  totals("stock that falls", "high", (m) => 500 - 1.5 * m.day + 6 * m.random.normal()),
  totals("shifts that grow", "low", (m) => (m.hour < 12 ? 50 : 100) * (1 + 0.01 * m.day) * noise(m, 0.04), {
    step: DAY_S / 2,
  }),
];
