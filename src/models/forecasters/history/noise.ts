// Noise of values from their second differences, which no straight trend enters; pure.
import { MAD_TO_DEVIATION, medianOf } from "../../stats/median.ts";

/** Deviation of `x[i - k] - 2 x[i] + x[i + k]` of independent noise, in deviations of the noise. */
const SECOND_DIFFERENCE = Math.sqrt(6);
/** Share of the mean magnitude of the changes that counts as noise where most changes are 0. */
const LEAST_NOISE = 0.05;

/** Deviation of the noise from one value to the next. @param column finite */
export function noiseOf(column: Float64Array): number {
  const changes = new Float64Array(Math.max(0, column.length - 2));
  for (let i = 2; i < column.length; i++)
    changes[i - 2] = Math.abs(column[i]! - 2 * column[i - 1]! + column[i - 2]!);
  return noiseOfChanges(changes);
}

/** Deviation of the noise; 0 without a change. @param changes magnitudes of second differences */
export function noiseOfChanges(changes: Float64Array): number {
  if (changes.length === 0) return 0;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  return (MAD_TO_DEVIATION * Math.max(medianOf(changes), LEAST_NOISE * mean)) / SECOND_DIFFERENCE;
}
