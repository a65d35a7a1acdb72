// Absent detector: how far a value is below those of earlier days at the same local time: a job that did not run.
import { lagsAt, lowestAround, lowestIn, lowestOf } from "../seasons/clock.ts";
import { atOnce, type DetectorKind, toStoredZ, unscored } from "./kind.ts";

/** Least scale of the tail, deviations. */
const MIN_SCALE = 0.05;

export const absent: DetectorKind = {
  explanation: "lower than it ever is at this time of day",
  weight: 0,
  alone: "by rank",
  expects: true,
  expectsBound: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ clock, column, linear, rankedFrom }) => {
    if (!clock) return undefined;
    const { z, fit, lagsAt: lagsIn } = clock;
    const lowestAt = lowestIn(lowestAround(z, fit.shift), { ...fit, lagsAt: lagsIn });
    const [statistic, expected] = [unscored(column), unscored(column)];
    for (let i = rankedFrom; i < column.length; i++) {
      if (Number.isNaN(column[i]!)) continue;
      const lowest = lowestAt(i);
      if (lowest === undefined) continue;
      statistic[i] = Math.max(0, lowest - z[i]!);
      expected[i] = lowest * linear.scale + linear.center;
    }
    return { statistic, expected, minScale: MIN_SCALE };
  }),
  judge({ clock, linear, neighbours, timeline }, i, value) {
    if (!clock) return undefined;
    const lowest = lowestOf(lagsAt(i, timeline), clock, (lag) => neighbours.valueBefore(lag - 1));
    if (lowest === undefined) return undefined;
    const statisticOf = (other: number) => Math.max(0, lowest - toStoredZ(linear, other));
    return {
      expected: lowest * linear.scale + linear.center,
      statisticOf,
      ...(Number.isFinite(value) && { statistic: statisticOf(value) }),
    };
  },
};
