// Gauges and counts: temperature, battery, queue, errors, memory, disk; pulses, constants; what sticks, leaks, jumps or stands still.
import { type Recipe, workday } from "./recipe.ts";

/** A temperature: a heater that sticks, then a sensor that does. */
function temperature(step: number): Recipe {
  return {
    name: `temperature, every ${step} s`,
    step,
    trainedDays: 21,
    days: 31,
    planted: {
      heater: { day: 23, hour: 11, minutes: 360, type: "high" },
      frozen: { day: 26, hour: 5, minutes: 360, type: "low" },
    },
    make: () => {
      let held = 0;
      return ({ hour, during, random }) => {
        const usual = 20 + 2 * Math.sin(((hour - 9) / 24) * 2 * Math.PI) + 0.15 * random.normal();
        if (!during("frozen")) held = usual + (during("heater") ? 5 : 0);
        return held;
      };
    },
  };
}

/** Battery that is charged each night; one day it loses 40 % within two hours. */
const battery: Recipe = {
  name: "battery, every 300 s",
  step: 300,
  trainedDays: 21,
  days: 28,
  planted: { loss: { day: 24, hour: 10, minutes: 12 * 60, type: "low" } },
  make:
    () =>
    ({ hour, during, random }) => {
      const usual = hour < 6 ? 40 + 10 * hour : 100 - (60 * (hour - 6)) / 18;
      const lost = during("loss") ? Math.min(40, 20 * (hour - 10)) : 0;
      return Math.round(10 * Math.max(1, usual - lost + 0.4 * random.normal())) / 10;
    },
};

/** Counts that are mostly zero, with short bursts; once many for 40 minutes. */
function rare(name: string, { rate, size, odd }: { rate: number; size: number; odd: number }): Recipe {
  return {
    name,
    step: 300,
    trainedDays: 21,
    days: 28,
    planted: { many: { day: 24, hour: 15, minutes: 40, type: "high" } },
    make:
      () =>
      ({ during, random }) => {
        if (during("many")) return odd + random.below(Math.ceil(odd / 10));
        return random.uniform() < rate ? 1 + random.below(size) : 0;
      },
  };
}

/** Memory that falls at each deployment; then it leaks. */
const memory: Recipe = {
  name: "memory, every 300 s",
  step: 300,
  trainedDays: 21,
  days: 28,
  planted: { leak: { day: 25, hour: 8, minutes: 10 * 60, type: "high" } },
  make: (random) => {
    let [level, lastDay, leaked] = [60, -1, 0];
    return ({ day, hour, weekday, during }) => {
      if (day !== lastDay && weekday < 5 && day % 2 === 0) level = 55 + 8 * random.uniform();
      lastDay = day;
      leaked = during("leak") ? leaked + 0.25 : 0;
      return level + 2 * workday(hour) + leaked + 0.3 * random.normal();
    };
  },
};

/** A disk with a clean-up each Sunday; once 12 % within an hour. */
const disk: Recipe = {
  name: "disk, every 300 s",
  step: 300,
  trainedDays: 28,
  days: 35,
  planted: { written: { day: 31, hour: 10, minutes: 60, type: "high" } },
  make: () => {
    let [level, extra] = [40, 0];
    return ({ weekday, hour, during, random }) => {
      level += 0.9 / 288;
      if (weekday === 6 && hour === 3) [level, extra] = [40, 0];
      if (during("written")) extra += 1;
      return level + extra + 0.05 * random.normal();
    };
  },
};

/** Noise that vanishes for six hours at its usual mean. */
const still: Recipe = {
  name: "noise that vanishes, every 300 s",
  step: 300,
  trainedDays: 14,
  days: 21,
  planted: { still: { day: 17, hour: 9, minutes: 360 } },
  make:
    () =>
    ({ during, random }) =>
      50 + (during("still") ? 0 : 2 * random.normal()),
};

/** A step to another level that stays. */
const step: Recipe = {
  name: "step, every 300 s",
  step: 300,
  trainedDays: 21,
  days: 31,
  planted: { step: { day: 24, hour: 10, minutes: 24 * 60, type: "high" } },
  make:
    () =>
    ({ i, hour, random }) =>
      50 + 10 * workday(hour) + random.normal() + (i >= 24 * 288 + 120 ? 15 : 0),
};

/** An outage where only high values count: neither it nor its end is too high. */
const outage: Recipe = {
  name: "outage of a feature that counts high alone, every 3600 s",
  step: 3600,
  trainedDays: 28,
  days: 42,
  planted: {},
  make:
    () =>
    ({ day, hour, random }) => {
      const isOut = day === 31 && hour >= 4 && hour < 10;
      const level = 40 + 20 * workday(hour);
      return isOut ? 0 : Math.max(0, Math.round(level + 4 * random.normal()));
    },
  feature: { anomaly_type: "high" },
};

/** A compressor that comes and goes in its own rhythm; once it stays on, or off, for four hours. */
function compressor(step: number, stuck: "on" | "off"): Recipe {
  return {
    name: `compressor that stays ${stuck}, every ${step} s`,
    step,
    trainedDays: 14,
    days: 21,
    planted: { stuck: { day: 17, hour: 12, minutes: 240, type: stuck === "on" ? "high" : "low" } },
    make: () => {
      let [isOn, left] = [false, 0];
      return ({ during, random }) => {
        left -= step / 60;
        if (left <= 0) {
          isOn = !isOn;
          left += (isOn ? 16 : 29) * (0.85 + 0.3 * random.uniform());
        }
        const runs = during("stuck") ? stuck === "on" : isOn;
        return (runs ? 95 : 2) + random.normal();
      };
    },
  };
}

/** A percentage in whole numbers that stays the same for eight hours. */
const percentage: Recipe = {
  name: "percentage, every 900 s",
  step: 900,
  trainedDays: 14,
  days: 21,
  planted: { stuck: { day: 17, hour: 9, minutes: 480 } },
  make: () => {
    let held = 0;
    return ({ hour, during, random }) => {
      const usual = Math.round(Math.max(0, 20 + 20 * workday(hour) + 4 * random.normal()));
      if (!during("stuck")) held = usual;
      return held;
    };
  },
};

/** A constant that is 1 % lower for a quarter of an hour. */
const constant: Recipe = {
  name: "constant, every 300 s",
  step: 300,
  trainedDays: 14,
  days: 21,
  planted: { lower: { day: 17, hour: 9, minutes: 15, type: "low" } },
  make: (random) => {
    const level = 100 * (1 + random.below(50));
    return ({ during }) => (during("lower") ? 0.99 : 1) * level;
  },
};

export const gauges: readonly Recipe[] = [
  temperature(300),
  temperature(900),
  battery,
  rare("queue, every 300 s", { rate: 0.05, size: 20, odd: 400 }),
  rare("errors, every 300 s", { rate: 0.02, size: 8, odd: 60 }),
  memory,
  disk,
  still,
  step,
  outage,
  compressor(60, "on"),
  compressor(60, "off"),
  compressor(300, "on"),
  compressor(300, "off"),
  percentage,
  constant,
];
