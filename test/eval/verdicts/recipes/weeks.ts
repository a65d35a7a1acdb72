// Weeks: traffic and orders of workdays, a Saturday like a workday, a free Monday, the end of summer time, a counter.
import { type Moment, type Recipe, START_S, workday } from "./recipe.ts";

const isWeekend = (weekday: number) => weekday >= 5;

/** Traffic of an office: a Saturday as on workdays, a free Monday, a dip by half. */
function traffic(step: number): Recipe {
  return {
    name: `workdays, every ${step} s`,
    step,
    trainedDays: 28,
    days: 42,
    planted: {
      dip: { day: 30, hour: 11, minutes: Math.max(30, step / 30), type: "low" },
      saturday: { day: 33, hour: 6, minutes: 15 * 60, type: "high" },
      monday: { day: 35, hour: 5, minutes: 16 * 60, type: "low" },
    },
    make:
      () =>
      ({ hour, weekday, during, random }) => {
        const isFree = (isWeekend(weekday) && !during("saturday")) || during("monday");
        const level = (isFree ? 40 : 200) * (0.1 + workday(hour));
        return level * (during("dip") ? 0.5 : 1) * (1 + 0.04 * random.normal());
      },
  };
}

/** Orders of a shop, more on Saturdays; a holiday on a Monday. */
function orders(step: number): Recipe {
  return {
    name: `orders, every ${step} s`,
    step,
    trainedDays: 28,
    days: 42,
    planted: { holiday: { day: 35, hour: 8, minutes: 12 * 60, type: "low" } },
    make:
      () =>
      ({ hour, weekday, during, random }) => {
        const level = (weekday === 5 ? 160 : weekday === 6 ? 30 : 100) * workday(hour) * (step / 900);
        const mean = (during("holiday") ? 0.3 : 1) * level;
        return Math.max(0, Math.round(mean + Math.sqrt(mean + 1) * random.normal()));
      },
  };
}

/** Office hours of Berlin, across the end of summer time on 2025-10-26. */
function clockChange(step: number): Recipe {
  const make =
    () =>
    ({ i, random }: Moment) => {
      const at = (START_S + i * step) * 1000;
      const local = at + (at < Date.UTC(2025, 9, 26, 1) ? 2 : 1) * 3_600_000;
      const [hour, day] = [(local / 3_600_000) % 24, Math.floor(local / 86_400_000)];
      const isOpen = hour >= 8 && hour < 18 && (day + 3) % 7 < 5;
      return (isOpen ? 100 : 10) + 2 * random.normal();
    };
  return {
    name: `clock change, every ${step} s`,
    step,
    trainedDays: 19,
    days: 30,
    planted: {},
    make,
    settings: { timezone: "Europe/Berlin" },
  };
}

/** A counter that is reset each Monday, of which two weeks are known; it stands still for an hour. */
const counter: Recipe = {
  name: "counter of a week, every 60 s",
  step: 60,
  trainedDays: 14,
  days: 21,
  planted: { stall: { day: 17, hour: 10, minutes: 60, type: "low" } },
  make: () => {
    let count = 0;
    return ({ day, hour, weekday, during, random }) => {
      if (day > 0 && weekday === 0 && hour === 0) count = 0;
      if (!during("stall")) count += Math.max(0, Math.round(20 + 4.5 * random.normal()));
      return count;
    };
  },
};

export const weeks: readonly Recipe[] = [
  traffic(300),
  traffic(1800),
  traffic(3600),
  orders(900),
  orders(3600),
  clockChange(900),
  clockChange(3600),
  counter,
];
