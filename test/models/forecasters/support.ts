// Series and views for tests of forecasts: daily and weekly seasons in hours, with seeded noise.
import { View } from "../../../src/models/forecasters/history/view.ts";
import type { Cycles } from "../../../src/models/forecasters/season/cycles.ts";
import { historyLength } from "../../../src/models/forecasters/season/history-length.ts";
import type { ForecastTrend } from "../../../src/models/forecasters/trend.ts";
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

/** How a view of a column is taken; default: of all of it, in hours, as it is. */
interface ViewOptions {
  readonly origin?: number;
  readonly leads?: readonly number[];
  readonly history?: number;
  readonly intervalMs?: number;
  readonly cycles?: Cycles;
  readonly breaks?: boolean;
  readonly trend?: ForecastTrend;
}

/** The view of a column from its end, a day ahead. */
export function viewOf(column: Float64Array, options: ViewOptions = {}): View {
  const { origin = column.length, leads = leadsTo(DAY), intervalMs = HOUR, cycles } = options;
  const { history = historyLength({ intervalMs, cycles }), breaks = false, trend } = options;
  return new View({ column, intervalMs, cycles }, { origin, leads, history }, { trend, breaks });
}

/** A column of these values. */
export function columnOf(...values: number[]): Float64Array {
  return Float64Array.from(values);
}
