// Mean magnitude of the finite values; pure.

/** NaN without any. */
export function meanMagnitude(values: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) continue;
    sum += Math.abs(values[i]!);
    count++;
  }
  return sum / count;
}
