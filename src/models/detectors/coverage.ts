// Support: how much of the window before a point was observed, and so what the window's detectors count for; pure.

/** Where this share of the window was observed, its detectors count in full; what they say of less is a guess. */
const FULL_COVERAGE_SHARE = 0.5;

/**
 * The nearer a point is, the more it tells: weights fall evenly from the point before to none a window ago.
 * @param column NaN = missing
 * @param window length in intervals
 * @returns of each interval 0..1: 1 where enough of the window before it was observed, 0 where nothing was
 */
export function coverageOf(column: Float64Array, window: number): (i: number) => number {
  const before = Math.max(1, window - 1);
  // Sums of what was observed up to an interval, and of its numbers: two differences of them weigh any window.
  const counts = new Float64Array(column.length + 1);
  const numbers = counts.slice();
  for (const [i, value] of column.entries()) {
    const observed = Number(Number.isFinite(value));
    counts[i + 1] = counts[i]! + observed;
    numbers[i + 1] = numbers[i]! + observed * i;
  }
  const enough = (FULL_COVERAGE_SHARE * before * (before + 1)) / 2;
  return (i) => {
    const from = Math.max(0, i - before);
    const weighted = numbers[i]! - numbers[from]! - (i - before - 1) * (counts[i]! - counts[from]!);
    return Math.min(1, weighted / enough);
  };
}
