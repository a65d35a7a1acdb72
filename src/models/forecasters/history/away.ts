// Distance from a level, or its trend, at which values are away from it: what neither spread nor noise explains; pure.
import { fitLine } from "../../stats/line.ts";
import { MAD_TO_DEVIATION, medianOf } from "../../stats/median.ts";
import { noiseOf } from "./noise.ts";

/** Least number of values. */
const MIN_VALUES = 40;
/** Least distance from the level, in deviations of the window and of the noise. */
const AWAY = 8;

/** Share of the spread around the median that is left around a line through a level with a trend. */
const MAX_AROUND_LINE = 0.5;

/** The usual values of a level, and how far from them a value is away. */
export interface Away {
  /** One per value of the level. */
  readonly usual: Float64Array;
  readonly distance: number;
}

/** Undefined of few values, or a constant. @param level NaN = missing */
export function awayOf(level: Float64Array): Away | undefined {
  const values = level.filter(Number.isFinite);
  if (values.length < MIN_VALUES) return undefined;
  const still = new Float64Array(level.length).fill(medianOf(values));
  const line = fitLine(level);
  const [aroundMedian, aroundLine] = [still, line].map((usual) => spreadAround(usual, level));
  const isTrend = aroundLine! < MAX_AROUND_LINE * aroundMedian!;
  const [usual, spread] = isTrend ? [line, aroundLine!] : [still, aroundMedian!];
  const distance = AWAY * Math.max(spread, noiseOf(values));
  return distance > 0 ? { usual, distance } : undefined;
}

/** Robust deviation. */
function spreadAround(usual: Float64Array, level: Float64Array): number {
  return MAD_TO_DEVIATION * medianOf(level.map((value, i) => Math.abs(value - usual[i]!)));
}
