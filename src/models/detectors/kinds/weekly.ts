// Weekly detector: distance of a value from those of other weeks, at the times at which something recurs each week.
import { quantileOf } from "../../stats/outliers.ts";
import { distanceFrom } from "../seasons/weekly.ts";
import { atOnce, type DetectorKind } from "./kind.ts";

/** Quantile of the distances where the tail begins, and its least scale as a share of that: few weeks know few extremes. */
const TAIL_QUANTILE = 0.9;
const MIN_SCALE_SHARE = 0.25;
/** Least difference between usual values, as a multiple of that quantile: else a job that runs is like one that does not. */
const LEAST_SPREAD = 2;
/** Least scale, as a share of the differences between usual values. */
const MIN_SPREAD_SHARE = 0.05;

export const weekly: DetectorKind = {
  explanation: "unusual at this time of the week",
  weight: 0,
  alone: { tailMargin: 0 },
  expects: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ weekly: sample }) => {
    if (!sample) return undefined;
    const { distances, expected, spread } = sample;
    const edge = quantileOf(distances.filter(Number.isFinite).sort(), TAIL_QUANTILE);
    if (spread < LEAST_SPREAD * edge) return undefined;
    const minScale = Math.max(MIN_SCALE_SHARE * edge, MIN_SPREAD_SHARE * spread);
    return { statistic: distances, expected, minScale };
  }),
  judge({ weekly: usual }, i, value) {
    const range = usual?.rangeAt(i);
    if (!range) return undefined;
    const statisticOf = (other: number) => distanceFrom(range, other);
    return {
      expected: range.expected,
      statisticOf,
      ...(Number.isFinite(value) && { statistic: statisticOf(value) }),
    };
  },
};
