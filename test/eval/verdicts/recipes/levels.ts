// Levels: a disk that is filled at once, revenue and wind that are gone, a dip in a series whose spikes are usual.
import { type Recipe, workday } from "./recipe.ts";

/** A disk that fills by .7 % a day, and by 10 % at once: a day later the new level is known. */
function filledAtOnce(step: number): Recipe {
  return {
    name: `disk that is filled at once, every ${step} s`,
    step,
    trainedDays: 28,
    days: 42,
    planted: { jump: { day: 33, hour: 15, minutes: 24 * 60, type: "high", endsWithin: 0 } },
    make:
      () =>
      ({ day, hour, random }) => {
        const isFilled = day > 33 || (day === 33 && hour >= 15);
        return 20 + 0.7 * (day + hour / 24) + (isFilled ? 10 : 0) + 0.03 * random.normal();
      },
  };
}

/** Revenue of a shop, which differs by shares from hour to hour; once there is none by day. */
const revenue: Recipe = {
  name: "revenue that is gone, every 3600 s",
  step: 3600,
  trainedDays: 28,
  days: 42,
  planted: { gone: { day: 36, hour: 11, minutes: 240, type: "low", endsWithin: 3 } },
  make:
    () =>
    ({ hour, during, random }) => {
      const usual = (5 + 100 * workday(hour)) * Math.exp(0.4 * random.normal());
      return during("gone") ? 0 : Math.round(100 * usual) / 100;
    },
};

/** Speed of the wind, never 0; then the sensor is stuck at it. */
const wind: Recipe = {
  name: "wind that is gone, every 3600 s",
  step: 3600,
  trainedDays: 28,
  days: 42,
  planted: { stuck: { day: 36, hour: 6, minutes: 12 * 60, type: "low" } },
  make: () => {
    let off = 0;
    return ({ hour, during, random }) => {
      off = 0.85 * off + 0.53 * random.normal();
      const speed = Math.exp(1.6 + 0.5 * off + 0.3 * workday(hour));
      return during("stuck") ? 0 : Math.round(10 * speed) / 10;
    };
  },
};

/** Spikes at any time, one in a hundred points; once a dip for a quarter of an hour. */
const spikes: Recipe = {
  name: "dip between spikes, every 300 s",
  step: 300,
  trainedDays: 21,
  days: 28,
  planted: { dip: { day: 24, hour: 12, minutes: 15, type: "low", endsWithin: 3 } },
  make:
    () =>
    ({ during, random }) => {
      const usual = 50 + 2 * random.normal();
      const spike = random.uniform() < 0.01 ? 30 + 30 * random.uniform() : 0;
      return usual + spike - (during("dip") ? 18 : 0);
    },
};

export const levels: readonly Recipe[] = [filledAtOnce(900), filledAtOnce(3600), revenue, wind, spikes];
