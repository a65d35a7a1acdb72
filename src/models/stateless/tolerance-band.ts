// Width of the tolerance band, by the sensitivity and the largest share of anomalies; pure.

/** Half-width at sensitivity 99, in deviations, and its factor per step of lower sensitivity. */
const MIN_WIDTH = 3;
const WIDENING_PER_STEP = 1.06;
const MAX_SENSITIVITY = 99;

/** Half-width in deviations: 3 at 99, 3.8 at 95, 5.1 at 90, 52 at 50, 960 at 0. */
export function bandWidthOf(sensitivity: number): number {
  return MIN_WIDTH * WIDENING_PER_STEP ** (MAX_SENSITIVITY - sensitivity);
}

/**
 * Widens the band so that at most `maxRatio` of the points exceed it.
 * @param sizes residuals in deviations; 0 where a point cannot be an anomaly
 */
export function widenToRatio(width: number, sizes: Float64Array, maxRatio: number): number {
  const descending = sizes.toSorted().reverse();
  return Math.max(width, descending[Math.floor(maxRatio * sizes.length)] ?? 0);
}
