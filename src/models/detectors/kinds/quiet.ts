// Quiet detector: how long a series has been at its floor, by how often it is there at that time: orders that stop at noon.
import { type FloorFit, floorDecades, isAtFloor } from "../seasons/floor.ts";
import { atOnce, type DetectorKind, isScoredEnough, type Live, unscored } from "./kind.ts";

/** Decades by which its tail must exceed a rarity. */
const TAIL_MARGIN = 1;
/** Least scale of the tail, decades. */
const MIN_SCALE = 0.3;

export const quiet: DetectorKind = {
  explanation: "at its least for longer than usual at this time",
  weight: 0,
  alone: { tailMargin: TAIL_MARGIN },
  expects: true,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ floor, column, observed, timeline, linear, rankedFrom }) => {
    if (!floor) return undefined;
    const [statistic, own] = [unscored(column), new Float64Array(column.length)];
    let [from, sum] = [0, 0];
    for (const [i, value] of observed.entries()) {
      if (Number.isNaN(value)) continue;
      if (!isAtFloor(floor, value, linear.scale)) [from, sum] = [i + 1, 0];
      else {
        own[i] = floorDecades(floor, i, timeline);
        sum += own[i]!;
      }
      for (; from <= i - linear.window; from++) sum -= own[from]!;
      if (i >= rankedFrom) statistic[i] = sum;
    }
    if (!isScoredEnough(statistic)) return undefined;
    // Whatever is at the floor is low.
    return { statistic, expected: column.map((value) => value + linear.scale), minScale: MIN_SCALE };
  }),
  judge({ floor, linear, timeline, observed, seasonal }, i, value) {
    if (!floor || !Number.isFinite(value)) return undefined;
    const baseline = observed[i]! - value;
    const expected = Math.max(seasonal.expect(i), floor.value - baseline + linear.scale);
    let before: number | undefined;
    const statisticOf = (other: number) => {
      if (!isAtFloor(floor, other + baseline, linear.scale)) return 0;
      before ??= decadesBefore(floor, i, { timeline, observed, linear });
      return before + floorDecades(floor, i, timeline);
    };
    return { expected, statisticOf, statistic: statisticOf(value) };
  },
};

/** Of the points at the floor that end before a point. */
function decadesBefore(
  floor: FloorFit,
  i: number,
  { timeline, observed, linear }: Pick<Live, "timeline" | "observed" | "linear">,
): number {
  let decades = 0;
  for (let k = i - 1; k > Math.max(-1, i - linear.window); k--) {
    if (!isAtFloor(floor, observed[k]!, linear.scale)) break;
    decades += floorDecades(floor, k, timeline);
  }
  return decades;
}
