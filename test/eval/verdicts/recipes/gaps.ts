// Quiet series with gaps: what comes after one goes on from what was before it.
import { noise } from "./quiet.ts";
import type { Moment, Recipe } from "./recipe.ts";

/** Hours from one gap to the next, and their lengths in intervals by turns. */
const EVERY_HOURS = 19;
const LENGTHS = [1, 3, 10, 40];

/** Points are missing for some intervals each 19 hours after the training. */
function withGaps(name: string, step: number, make: Recipe["make"]): Recipe {
  const trainedDays = 28;
  const every = Math.round((EVERY_HOURS * 3600) / step);
  return {
    name: `${name} with gaps, every ${step} s`,
    step,
    trainedDays,
    days: 56,
    planted: {},
    make: (random) => {
      const valueAt = make(random);
      return (moment) => {
        const value = valueAt(moment);
        const missing = LENGTHS[Math.floor(moment.i / every) % LENGTHS.length]!;
        return moment.day >= trainedDays && moment.i % every < missing ? Number.NaN : value;
      };
    },
  };
}

/** Fills by half a percent a day. */
const disk =
  (step: number): Recipe["make"] =>
  () => {
    let used = 40;
    return ({ random }) => {
      used += (step / 86_400) * 0.5 + 0.002 * random.normal();
      return used;
    };
  };

/** On for ten minutes of three quarters of an hour. */
const compressor =
  (step: number): Recipe["make"] =>
  () => {
    let [isOn, minutesLeft] = [false, 10];
    return ({ random }) => {
      minutesLeft -= step / 60;
      if (minutesLeft <= 0) {
        isOn = !isOn;
        minutesLeft = (isOn ? 10 : 35) + 3 * random.normal();
      }
      return isOn ? 120 + 3 * random.normal() : 2 + 0.3 * random.normal();
    };
  };

const load = (): ((moment: Moment) => number) => {
  let off = 0;
  return ({ random }) => {
    off = 0.95 * off + random.normal();
    return 50 + off;
  };
};

export const gaps: readonly Recipe[] = [300, 900].flatMap((step) => [
  withGaps("disk", step, disk(step)),
  withGaps("compressor", step, compressor(step)),
  withGaps("load", step, load),
  withGaps("noise", step, () => noise),
]);
