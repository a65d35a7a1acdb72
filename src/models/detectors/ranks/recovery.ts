// Recovery: an anomaly that is unusual at its time of day is over once values are usual then, whatever its windows hold; pure.

/** Time constant of the mean, in points; a point counts up to so many decades. */
const POINTS = 4;
const MOST_DECADES = 3;
/** Mean from which on the time of day tells an anomaly, and below which values are back; of normal ones it is 0.43. */
const UNUSUAL_DECADES = 1.5;
const USUAL_DECADES = 0.8;
/** Longest interval, ms: seven points of longer ones may be a night, in which a closed day looks usual. */
const MAX_INTERVAL_MS = 20 * 60_000;

/** Mean rarities of the last points of an anomaly and those after it by the time of day alone, decades; JSON. */
export interface Recovery {
  readonly latest: number;
  readonly highest: number;
}

export const freshRecovery: Recovery = { latest: 0, highest: 0 };

/** After one point more. @param rarity of its value by the time of day, decades */
export function stepRecovery({ latest, highest }: Recovery, rarity: number): Recovery {
  const next = latest + (Math.min(MOST_DECADES, rarity) - latest) / POINTS;
  return { latest: next, highest: Math.max(highest, next) };
}

/** Whether the time of day tells an anomaly from usual values. */
export function isUnusualAtItsTime({ highest }: Recovery): boolean {
  return highest >= UNUSUAL_DECADES;
}

/** Whether the values of such an anomaly are back. */
export function isRecovered(recovery: Recovery, intervalMs: number): boolean {
  return intervalMs <= MAX_INTERVAL_MS && isUnusualAtItsTime(recovery) && recovery.latest < USUAL_DECADES;
}
