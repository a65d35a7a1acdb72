// Series for tests of forecasts: daily and weekly seasons in hours, with seeded noise.
import { createRandom } from "../../../wasm/random.ts";

export const HOUR = 3_600_000;
export const DAY = 24;
export const WEEK = 7 * DAY;
export const signal = new AbortController().signal;

export function makeColumn(length: number, value: (i: number) => number): Float64Array {
  return Float64Array.from({ length }, (_, i) => value(i));
}

/** Standard normal noise. */
export function makeNoise(seed: number): () => number {
  const random = createRandom(seed);
  return () => random.normal();
}

/** A wave a day around `level`, lower at the weekend. */
export function seasonal(i: number, level = 100): number {
  const isWeekend = i % WEEK >= 5 * DAY;
  return level + 20 * Math.sin((2 * Math.PI * i) / DAY) - (isWeekend ? 30 : 0);
}

/** Leads 0 to `count - 1`. */
export function leadsTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export function meanAbsolute(values: ArrayLike<number>, others: ArrayLike<number>): number {
  const sum = Array.from(values).reduce((total, value, i) => total + Math.abs(value - others[i]!), 0);
  return sum / values.length;
}
