// Distance from a level at which values are away from it: what neither its spread nor its noise explains; pure.
import { MAD_TO_DEVIATION, medianOf } from "../../stats/median.ts";
import { noiseOf } from "./noise.ts";

/** Least number of values. */
const MIN_VALUES = 40;
/** Least distance from the level, in deviations of the window and of the noise. */
const AWAY = 8;

/** The usual value of a level, and how far from it a value is away; undefined of few values, or a constant. @param level NaN = missing */
export function awayOf(
  level: Float64Array,
): { readonly usual: number; readonly distance: number } | undefined {
  const values = level.filter(Number.isFinite);
  if (values.length < MIN_VALUES) return undefined;
  const usual = medianOf(values);
  const spread = MAD_TO_DEVIATION * medianOf(values.map((value) => Math.abs(value - usual)));
  const distance = AWAY * Math.max(spread, noiseOf(values));
  return distance > 0 ? { usual, distance } : undefined;
}
