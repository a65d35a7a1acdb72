// Gross anomalies of a training range that nobody has flagged: points far from the usual value of their time of day; pure.
import { grossLimit } from "../contamination.ts";
import { fitProfile, type Rhythm, Seasonal } from "./seasonal.ts";

/** How far beyond the bulk of distances from the profile a point must lie: about nine deviations of normal ones. */
const REACH = 12;

/**
 * 1 where a point is no part of normal: windows with it in them would be learnt, and its neighbours look odd.
 * @param column NaN = missing
 * @param normal 1 where people said that a point is normal, however odd
 */
export function markGross(column: Float64Array, rhythm: Rhythm, normal?: Uint8Array): Uint8Array {
  const usual = new Seasonal(fitProfile(column, rhythm), rhythm);
  const distances = column.map((value, i) => Math.abs(value - usual.expect(i)));
  const limit = grossLimit(distances, REACH);
  return Uint8Array.from(distances, (distance, i) => Number(distance > limit && normal?.[i] !== 1));
}
