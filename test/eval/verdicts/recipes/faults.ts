// Faults that come again: each is one of its own, and over when its values are usual.
import { type Recipe, workday } from "./recipe.ts";

/** A latency that is too high for some minutes, and again 45 minutes later. */
function twice(step: number, minutes: number): Recipe {
  const fault = { day: 17, minutes, type: "high", endsWithin: 3 } as const;
  return {
    name: `latency too high twice, every ${step} s`,
    step,
    trainedDays: 14,
    days: 21,
    planted: { first: { ...fault, hour: 10 }, second: { ...fault, hour: 10.75 } },
    make:
      () =>
      ({ hour, during, random }) =>
        20 + 10 * workday(hour) + random.normal() + (during("first") || during("second") ? 20 : 0),
  };
}

/** Noise with six faults of eight deviations within four days: the last is as rare as the first. */
function six(step: number): Recipe {
  const minutes = step / 60;
  return {
    name: `noise with six faults, every ${step} s`,
    step,
    trainedDays: 14,
    days: 20,
    planted: {
      "high 1": { day: 15, hour: 9, minutes, type: "high" },
      "high 3": { day: 15, hour: 20, minutes: 3 * minutes, type: "high" },
      "low 4": { day: 16, hour: 12, minutes: 4 * minutes, type: "low" },
      "high 10": { day: 17, hour: 4, minutes: 10 * minutes, type: "high" },
      "low 12": { day: 17, hour: 18, minutes: 12 * minutes, type: "low" },
      "high 24": { day: 18, hour: 10, minutes: 24 * minutes, type: "high" },
    },
    make:
      () =>
      ({ during, random }) => {
        const isHigh = [1, 3, 10, 24].some((length) => during(`high ${length}`));
        const isLow = [4, 12].some((length) => during(`low ${length}`));
        return 100 + 5 * (random.normal() + 8 * (Number(isHigh) - Number(isLow)));
      },
  };
}

export const faults: readonly Recipe[] = [twice(60, 3), twice(300, 10), six(60), six(300)];
