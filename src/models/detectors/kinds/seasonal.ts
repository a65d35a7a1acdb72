// Seasonal detector: distance of a value from the usual one at its time of day or week.
import { Seasonal } from "../seasons/seasonal.ts";
import { atOnce, type DetectorKind } from "./kind.ts";

/** Least scale of the tail, in robust deviations. */
export const MIN_SCALE = 0.25;

export const seasonal: DetectorKind = {
  explanation: "unusual at this time of the day or week",
  weight: 1,
  alone: "by rank",
  expects: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ column, timeline, seasonal: profile, rankedFrom }) => {
    const usual = new Seasonal(profile, timeline);
    return {
      statistic: column.map((value, i) => (i < rankedFrom ? Number.NaN : Math.abs(usual.residual(i, value)))),
      expected: column.map((_, i) => usual.expect(i)),
      minScale: MIN_SCALE,
    };
  }),
  judge({ seasonal: usual, seasonalScale }, i, value) {
    const expected = usual.expect(i);
    // By the scale of the training: one that adapts would hide a growing noise, and make records of nothing.
    const statisticOf = (other: number) => Math.abs(other - expected) / seasonalScale;
    return { expected, statisticOf, ...(Number.isFinite(value) && { statistic: statisticOf(value) }) };
  },
};
