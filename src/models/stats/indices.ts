// Indices into arrays: evenly spaced samples, and binary search; pure.

/** At most `count` of the indices 0..`length` - 1, ascending and evenly spaced, the first and the last included. */
export function pickEvenly(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
}

/** Index of the first of `length` ascending values that is not below `value`; `length` if all are. */
export function lowerBound(ascending: ArrayLike<number>, value: number, length = ascending.length): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
