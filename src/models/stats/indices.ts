// A few of many, at even distances; pure.

/** At most `count` of the indices 0 to `length - 1`, ascending, the first and the last among them. */
export function pickEvenly(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
}
