// Still detector: how little the last points vary, in a series that varies: a value that is stuck, noise that vanishes.
import { medianOf } from "../../stats/median.ts";
import { atOnce, type DetectorKind, isScoredEnough, toZ, unscored } from "./kind.ts";

/** Points of a stretch. */
const SPAN = 20;
/** Spread that is none, in deviations. */
const FLOOR = 0.001;
/** Least scale of the tail, in decades of the spread. */
const MIN_SCALE = 0.05;

/** Decades by which a spread is below the one that is the measure. */
function statisticOf(spread: number): number {
  return -Math.log10(spread + FLOOR);
}

export const still: DetectorKind = {
  explanation: "it hardly moves",
  weight: 0,
  alone: "by rank",
  bothSides: true,
  expects: false,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ column, filled, linear, rankedFrom }) => {
    const z = filled.map((value) => toZ(linear, value));
    const statistic = unscored(column);
    for (let i = Math.max(rankedFrom, SPAN - 1); i < z.length; i++)
      if (Number.isFinite(column[i]!)) statistic[i] = statisticOf(spreadOf((k) => z[i - k]!));
    if (!isScoredEnough(statistic)) return undefined;
    return { statistic, expected: filled.map((_, i) => filled[Math.max(0, i - 1)]!), minScale: MIN_SCALE };
  }),
  judge({ neighbours, linear, observed }, i, value) {
    // What a gap was filled with does not vary.
    const seen = observed.subarray(Math.max(0, i - Math.min(SPAN, linear.window) + 1), i);
    if (neighbours.count < SPAN || seen.some(Number.isNaN)) return undefined;
    const recent = Array.from({ length: SPAN - 1 }, (__, k) => neighbours.recorded(k));
    const expected = medianOf(recent) * linear.scale + linear.center;
    if (!Number.isFinite(value)) return { expected };
    const newest = toZ(linear, value);
    return { expected, statistic: statisticOf(spreadOf((k) => (k === 0 ? newest : recent[k - 1]!))) };
  },
};

function spreadOf(at: (k: number) => number): number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < SPAN; k++) {
    least = Math.min(least, at(k));
    greatest = Math.max(greatest, at(k));
  }
  return greatest - least;
}
