// Quiet detector: how long a series has been at its floor, by how often it is there at that time: orders that stop at noon.
import { floorDecades, isAtFloor } from "../seasons/floor.ts";
import { atOnce, type DetectorKind, isScoredEnough, unscored } from "./kind.ts";

/** Decades by which its tail must exceed a rarity. */
const TAIL_MARGIN = 1;
/** Least scale of the tail, decades. */
const MIN_SCALE = 0.3;

export const quiet: DetectorKind = {
  explanation: "at its least for longer than usual at this time",
  weight: 0,
  alone: { tailMargin: TAIL_MARGIN },
  expects: false,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ floor, column, timeline, linear, rankedFrom }) => {
    if (!floor) return undefined;
    const [statistic, own] = [unscored(column), new Float64Array(column.length)];
    let [from, sum] = [0, 0];
    for (const [i, value] of column.entries()) {
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
    return { statistic, expected: column.map(() => floor.value + linear.scale), minScale: MIN_SCALE };
  }),
  judge({ floor, linear, timeline, imputed: { column } }, i, value) {
    if (!floor) return undefined;
    const expected = floor.value + linear.scale;
    if (!Number.isFinite(value)) return { expected };
    let statistic = 0;
    for (let k = i; k > Math.max(-1, i - linear.window); k--) {
      const own = k === i ? value : column[k]!;
      if (!isAtFloor(floor, own, linear.scale)) break;
      statistic += floorDecades(floor, k, timeline);
    }
    return { expected, statistic };
  },
};
