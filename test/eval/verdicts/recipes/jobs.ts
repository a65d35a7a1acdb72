// Jobs: some at their hour, missing or at another one; some that begin early or late, which is usual.
import type { Recipe } from "./recipe.ts";

/** A job that runs each night: one night it does not, another day it runs at 14:00, too. */
function nightly(step: number, { hours, noise }: { hours: number; noise: number }): Recipe {
  const minutes = hours * 60;
  const job = minutes * 60 === step ? "nightly job of one interval" : "nightly job";
  return {
    name: `${job}, every ${step} s, noise ${noise}`,
    step,
    trainedDays: 14,
    days: 21,
    planted: {
      missing: { day: 16, hour: 2, minutes, type: "low" },
      extra: { day: 18, hour: 14, minutes, type: "high" },
    },
    make:
      () =>
      ({ hour, during, random }) => {
        const runs = (hour >= 2 && hour < 2 + hours && !during("missing")) || during("extra");
        return 8 + (runs ? 25 + noise * random.normal() : 0) + noise * random.normal();
      },
  };
}

/** A job that takes more or less each night, far above the noise: one is missing. */
function uneven(step: number, noise: number): Recipe {
  return {
    name: `nightly job of uneven height, every ${step} s, noise ${noise}`,
    step,
    trainedDays: 28,
    days: 42,
    planted: { missing: { day: 37, hour: 2, minutes: 60, type: "low" } },
    make: (random) => {
      let [day, height] = [-1, 0];
      return (moment) => {
        if (moment.day !== day) {
          day = moment.day;
          height = 40 + 50 * random.uniform();
        }
        const runs = moment.hour >= 2 && moment.hour < 3 && !moment.during("missing");
        return 10 + (runs ? height : 0) + noise * random.normal();
      };
    },
  };
}

/** A job on Sundays, noisier than the rest of the week: one is missing, another comes on a Wednesday as well. */
function sundays(step: number, noise: number): Recipe {
  const minutes = 120;
  return {
    name: `job on Sundays, every ${step} s, noise ${noise}`,
    step,
    trainedDays: 35,
    days: 56,
    planted: {
      missing: { day: 48, hour: 3, minutes, type: "low" },
      extra: { day: 51, hour: 14, minutes, type: "high" },
    },
    make:
      () =>
      ({ hour, weekday, during, random }) => {
        const runs = (weekday === 6 && hour >= 3 && hour < 5 && !during("missing")) || during("extra");
        return 10 + (runs ? 60 + noise * random.normal() : 0) + 0.2 * random.normal();
      },
  };
}

/** A spike each hour: one is missing, another comes half an hour later as well. */
function hourly(step: number): Recipe {
  const minutes = step / 60;
  return {
    name: `cron each hour, every ${step} s`,
    step,
    trainedDays: 14,
    days: 21,
    planted: {
      missing: { day: 15, hour: 9, minutes, type: "low" },
      extra: { day: 17, hour: 13.5, minutes, type: "high" },
    },
    make:
      () =>
      ({ i, during, random }) => {
        const runs = ((i * step) % 3600 < step && !during("missing")) || during("extra");
        return 10 + (runs ? 70 : 0) + 3 * random.normal();
      },
  };
}

/** A batch every six hours: one is missing. */
function batches(step: number): Recipe {
  return {
    name: `batch each six hours, every ${step} s`,
    step,
    trainedDays: 14,
    days: 21,
    planted: { missing: { day: 17, hour: 12, minutes: 60, type: "low" } },
    make:
      () =>
      ({ hour, during, random }) => {
        const runs = hour % 6 < 1 && !during("missing");
        return 5 + (runs ? 40 : 0) + 2 * random.normal();
      },
  };
}

/** The nightly job begins some minutes early or late, and never fails. */
function jittered(step: number, jitterMinutes: number): Recipe {
  return {
    name: `nightly job within ${jitterMinutes} min, every ${step} s`,
    step,
    trainedDays: 14,
    days: 21,
    planted: {},
    make: (random) => {
      let [day, offset] = [-1, 0];
      return (moment) => {
        if (moment.day !== day) {
          day = moment.day;
          offset = ((2 * random.uniform() - 1) * jitterMinutes) / 60;
        }
        const runs = moment.hour >= 2 + offset && moment.hour < 2.5 + offset;
        return 8 + (runs ? 25 : 0) + random.normal();
      };
    },
  };
}

/** A pulse each ten minutes that stops for two hours. */
const pulse: Recipe = {
  name: "pulse that stops, every 60 s",
  step: 60,
  trainedDays: 10,
  days: 14,
  planted: { stopped: { day: 12, hour: 9, minutes: 120, type: "low" } },
  make:
    () =>
    ({ i, during, random }) =>
      2 + (i % 10 < 2 && !during("stopped") ? 20 : 0) + 0.5 * random.normal(),
};

/** A job that takes 30 minutes to two hours; once it hangs until morning. */
const unevenLength: Recipe = {
  name: "nightly job of uneven length, every 300 s",
  step: 300,
  trainedDays: 14,
  days: 21,
  planted: { hangs: { day: 19, hour: 4, minutes: 240, type: "high" } },
  make: () => {
    let [today, end] = [-1, 0];
    return ({ day, hour, during, random }) => {
      if (day !== today) [today, end] = [day, 2.5 + 1.5 * random.uniform()];
      const runs = (hour >= 2 && hour < end) || during("hangs");
      return runs ? 80 + 5 * random.normal() : 5 + random.normal();
    };
  },
};

export const jobs: readonly Recipe[] = [
  nightly(60, { hours: 0.5, noise: 2.5 }),
  nightly(300, { hours: 0.5, noise: 0.6 }),
  nightly(300, { hours: 0.5, noise: 2.5 }),
  nightly(900, { hours: 1, noise: 2.5 }),
  nightly(3600, { hours: 2, noise: 2.5 }),
  nightly(900, { hours: 0.25, noise: 2.5 }),
  nightly(3600, { hours: 1, noise: 2.5 }),
  nightly(300, { hours: 0.5, noise: 0.005 }),
  nightly(3600, { hours: 2, noise: 0.005 }),
  uneven(300, 0.01),
  uneven(900, 1),
  uneven(3600, 0.01),
  sundays(300, 2),
  sundays(900, 6),
  sundays(3600, 6),
  hourly(60),
  hourly(300),
  hourly(900),
  batches(300),
  batches(900),
  jittered(60, 4),
  jittered(300, 6),
  pulse,
  unevenLength,
];
