// The range score: how odd the last hour or so was as a whole, beside how odd its last point is; pure.

/** Points it looks back over. */
export const RANGE_LENGTH = 60;
/** Weighs the odd points of a range: with 1 it would be their mean, and a few of them would drown. */
const POWER = 3;

/**
 * The power mean of the last 60 scores at each interval: (mean of score³)^(1/3). It finds where an anomaly was better
 * than the score of a point does, and later: it is for looking back, not for alarms.
 * @param scores 0..100; undefined where nothing was observed: left out
 * @returns 0..100, as long as `scores`
 */
export function rangeScores(scores: readonly (number | undefined)[]): number[] {
  const powers = scores.map((score) => (score === undefined ? Number.NaN : score ** POWER));
  return powers.map((_, i) => {
    const last = powers
      .slice(Math.max(0, i - RANGE_LENGTH + 1), i + 1)
      .filter((power) => !Number.isNaN(power));
    if (last.length === 0) return 0;
    return (last.reduce((sum, power) => sum + power, 0) / last.length) ** (1 / POWER);
  });
}
