// Causal calibration of a raw statistic by its rank among the earlier points.

/**
 * `-log10` of the share of earlier points (this one included) that are at least as anomalous; NaN where the statistic is.
 * Depends on the past and the point alone.
 */
export function causalRank(statistic: Float64Array): Float64Array {
  const sorted = new Float64Array(statistic.length);
  let count = 0;
  return statistic.map((value) => {
    if (Number.isNaN(value)) return Number.NaN;
    const below = lowerBound(sorted, count, value);
    sorted.copyWithin(below + 1, below, count);
    sorted[below] = value;
    count++;
    return -Math.log10((count - below) / count);
  });
}

/** Number of the first `count` ascending values that are smaller than `value`. */
function lowerBound(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
