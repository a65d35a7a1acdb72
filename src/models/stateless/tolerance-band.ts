// How wide the margins are: by the sensitivity that is asked for, and no narrower than the share of anomalies allows; pure.

/** Margins at sensitivity 99, in deviations, and by how much each step below widens them. */
const MIN_WIDTH = 3;
const WIDENING_PER_STEP = 1.06;
export const MAX_SENSITIVITY = 99;

/** Half-width of the margins in deviations: 3 at 99, 3.8 at 95, 5.1 at 90, 52 at 50, 960 at 0. */
export function bandWidthOf(sensitivity: number): number {
  return MIN_WIDTH * WIDENING_PER_STEP ** (MAX_SENSITIVITY - sensitivity);
}

/**
 * The width, or the larger one that at most `maxRatio` of the points exceed.
 * @param sizes of the errors in deviations; 0 where a point cannot be an anomaly
 */
export function widenToRatio(width: number, sizes: Float64Array, maxRatio: number): number {
  const descending = sizes.toSorted().reverse();
  return Math.max(width, descending[Math.floor(maxRatio * sizes.length)] ?? 0);
}
