// Series of hours and of days for trends, which a function of the time makes grow.
import { createRandom } from "../../../wasm/random.ts";

export const HOUR = 3_600_000;
export const DAY = 24;
export const timeline = { startAt: 0, intervalMs: HOUR };

/** Hours of a daily sine with noise; weekends are quieter. */
export function series(days: number, change: (value: number, day: number) => number): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: days * DAY }, (_, i) => {
    const weekend = Math.floor(i / DAY) % 7 >= 5 ? 0.7 : 1;
    const usual = weekend * (100 + 30 * Math.sin((2 * Math.PI * i) / DAY));
    return change(usual * (1 + 0.03 * random.normal()), i / DAY);
  });
}

/** One value in so many days, with noise; weekends are quieter where each day has its value. */
export function totals(
  count: number,
  days: number,
  change: (value: number, day: number) => number,
): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: count }, (_, i) => {
    const weekend = days === 1 && i % 7 >= 5 ? 0.7 : 1;
    return change(100 * weekend * (1 + 0.03 * random.normal()), i * days);
  });
}

export const growing = (share: number) => (value: number, day: number) => value * (1 + share) ** day;
