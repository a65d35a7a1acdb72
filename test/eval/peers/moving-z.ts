// Peer: moving z-score. How far a value lies from the mean of the window before it, in deviations of that window.

/** @returns one statistic per interval, NaN where the value or half of the window is missing */
export function movingZ(values: Float64Array, window: number): Float64Array {
  // Sums over the window are kept relative to the first value: squares of large values would drown the deviation.
  const center = values.find(Number.isFinite) ?? 0;
  const result = new Float64Array(values.length).fill(Number.NaN);
  let [count, sum, squares] = [0, 0, 0];
  const add = (value: number, sign: 1 | -1) => {
    if (Number.isNaN(value)) return;
    count += sign;
    sum += sign * (value - center);
    squares += sign * (value - center) ** 2;
  };
  for (const [i, value] of values.entries()) {
    if (count >= window / 2 && !Number.isNaN(value)) {
      const mean = sum / count;
      const variance = Math.max(0, squares / count - mean ** 2);
      // Constant window: any other value is an extreme anomaly.
      const floor = 1e-9 * (Math.abs(center) + 1);
      result[i] = Math.abs(value - center - mean) / (Math.sqrt(variance) + floor);
    }
    add(value, 1);
    if (i >= window) add(values[i - window]!, -1);
  }
  return result;
}
