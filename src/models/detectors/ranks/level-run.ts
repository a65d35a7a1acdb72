// Run of an anomaly at one level of pulses, as a compressor that stays on: it goes on until the level changes; pure.
import { type FloorFit, isAtFloor } from "../seasons/floor.ts";

/** Least part of the way from a level to the other one that an expectation is away: of a pulse that is due it rises. */
const LEAST_WAY = 0.25;

/** Level that all values of an anomaly have had; JSON. */
export interface LevelRun {
  readonly atFloor: boolean;
}

/**
 * @param expected at the first interval of an anomaly
 * @param deviation of the series
 * @returns undefined without pulses, or where the level of the value was expected
 */
export function beginRun(
  floor: FloorFit | undefined,
  { value, expected, deviation }: { value: number; expected: number; deviation: number },
): LevelRun | undefined {
  if (floor?.middle === undefined) return undefined;
  const atFloor = isAtFloor(floor, value, deviation);
  const way = (expected - value) / (2 * (floor.middle - floor.value));
  return (atFloor ? way : -way) >= LEAST_WAY ? { atFloor } : undefined;
}
