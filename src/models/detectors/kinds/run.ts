// Run detectors: how long a series has been at its floor, or away from it, by how often it is at that time.
import { comesToFloor, type FloorFit, floorDecades, isAtFloor } from "../seasons/floor.ts";
import { atOnce, type DetectorKind, isScoredEnough, type Live, unscored } from "./kind.ts";

/** Decades by which the tail must exceed a rarity. */
const TAIL_MARGIN = 1;
/** Least scale of the tail, decades. */
export const MIN_SCALE = 0.3;
/** Largest shape of the tail: decades add up to the rarity of a run, whose tail is exponential but for those that cluster. */
export const MAX_SHAPE = 0.2;

/** Where the points of a run are, with what is odd about a long one in words. */
interface Run {
  readonly atFloor: boolean;
  readonly explanation: string;
}

/** A run ends with the first point that is elsewhere, or with the window of the network. */
export function runOf({ atFloor, explanation }: Run): DetectorKind {
  /** Direction of its points from what is expected. */
  const sign = atFloor ? -1 : 1;
  return {
    explanation,
    weight: 0,
    alone: { tailMargin: TAIL_MARGIN },
    expects: true,
    expectsBound: true,
    holds: 0,
    judgesShape: true,
    sample: atOnce(({ floor, column, observed, timeline, linear, rankedFrom }) => {
      // Where a series was never at its floor, it is away from it all the time.
      if (!floor || (!atFloor && floor.least !== undefined)) return undefined;
      const [statistic, own] = [unscored(column), new Float64Array(column.length)];
      let [from, sum] = [0, 0];
      for (const [i, value] of observed.entries()) {
        if (Number.isNaN(value)) continue;
        if (isAtFloor(floor, value, linear.scale) !== atFloor) [from, sum] = [i + 1, 0];
        else {
          own[i] = floorDecades(floor, i, { timeline, atFloor });
          sum += own[i]!;
        }
        for (; from <= i - linear.window; from++) sum -= own[from]!;
        if (i >= rankedFrom) statistic[i] = sum;
      }
      if (!isScoredEnough(statistic)) return undefined;
      const expected = column.map((value) => value - sign * linear.scale);
      return { statistic, expected, minScale: MIN_SCALE, maxShape: MAX_SHAPE };
    }),
    judge({ floor, linear, timeline, observed, seasonal }, i, value) {
      if (!floor || !Number.isFinite(value)) return undefined;
      const baseline = observed[i]! - value;
      const atRest = floor.value - baseline;
      const expected = atFloor ? Math.max(seasonal.expect(i), atRest + linear.scale) : atRest;
      let before: number | undefined;
      const statisticOf = (other: number) => {
        if (isAtFloor(floor, other + baseline, linear.scale) !== atFloor) return 0;
        before ??= decadesBefore(floor, i, { timeline, observed, linear, atFloor });
        return Math.max(0, before + floorDecades(floor, i, { timeline, atFloor }));
      };
      return { expected, statisticOf, statistic: statisticOf(value) };
    },
  };
}

/** Of the run that ends before a point; -Infinity of one that does not count. */
function decadesBefore(
  floor: FloorFit,
  i: number,
  {
    timeline,
    observed,
    linear,
    atFloor,
  }: Pick<Live, "timeline" | "observed" | "linear"> & Pick<Run, "atFloor">,
): number {
  const window = observed.subarray(Math.max(0, i - linear.window + 1), i);
  let decades = 0;
  for (let k = window.length - 1; k >= 0; k--) {
    const value = window[k]!;
    if (Number.isNaN(value)) continue;
    if (isAtFloor(floor, value, linear.scale) !== atFloor)
      return comesToFloor(floor, window.subarray(0, k + 1)) ? decades : Number.NEGATIVE_INFINITY;
    decades += floorDecades(floor, i - window.length + k, { timeline, atFloor });
  }
  return decades;
}
