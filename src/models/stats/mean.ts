// Mean of the present values of a column; pure.

/** Mean of those that are finite; NaN without any. */
export function meanOf(values: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) continue;
    sum += values[i]!;
    count++;
  }
  return sum / count;
}
