// Alarms of a score that stays high: one per burst.

/** A score counts only where it exceeds every one of the `quiet` scores before it; elsewhere it is -infinity. */
export function firstOfBurst(scores: Float64Array, quiet: number): Float64Array {
  return scores.map((score, i) => {
    const before = scores.subarray(Math.max(0, i - quiet), i);
    return before.some((earlier) => earlier >= score) ? Number.NEGATIVE_INFINITY : score;
  });
}
