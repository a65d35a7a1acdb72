// Exponential smoothing of a level: the factor with the least squared errors of the next value; pure.
import { medianOf } from "../../stats/median.ts";

const LEVEL_FACTORS = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const TREND_FACTORS = [0.05, 0.2, 0.4, 0.7, 1];
const TREND_SHARES = [0.02, 0.1, 0.3];
const DAMPINGS = [0.8, 0.9, 0.98];
/** Values whose median is the first level: a part of all, and at most. */
const START = { share: 0.2, most: 5 };

export interface Smoothed {
  /** Level after the last value; NaN without any. */
  readonly level: number;
  readonly factor: number;
}

export interface DampedTrend {
  readonly level: number;
  /** Change of the next interval, of which a share `damping` remains after each. */
  readonly trend: number;
  readonly damping: number;
}

/** Simple exponential smoothing (Brown 1956); NaN = missing, the level stands still. */
export function smoothLevel(values: Float64Array): Smoothed {
  let best = { level: Number.NaN, factor: 0, error: Number.POSITIVE_INFINITY };
  const { level } = startOf(values);
  for (const factor of LEVEL_FACTORS) {
    const run = runLevel(values, factor, level);
    if (!(run.error >= best.error)) best = { ...run, factor };
  }
  return best;
}

function runLevel(values: Float64Array, factor: number, start: number): { level: number; error: number } {
  let level = start;
  let error = 0;
  for (let i = 0; i < values.length; i++) {
    const news = values[i]! - level;
    if (Number.isNaN(news)) continue;
    error += news * news;
    level += factor * news;
  }
  return { level, error };
}

/** Holt's linear trend, damped (Gardner and McKenzie 1985); NaN = missing, the level goes on. */
export function smoothTrend(values: Float64Array): DampedTrend {
  let best = { level: Number.NaN, trend: 0, damping: 1, error: Number.POSITIVE_INFINITY };
  const start = startOf(values);
  for (const factor of TREND_FACTORS)
    for (const share of TREND_SHARES)
      for (const damping of DAMPINGS) {
        const run = runTrend(values, { factor, gain: share * factor, damping }, start);
        if (!(run.error >= best.error)) best = { ...run, damping };
      }
  return best;
}

function runTrend(
  values: Float64Array,
  { factor, gain, damping }: { factor: number; gain: number; damping: number },
  start: Start,
): { level: number; trend: number; error: number } {
  let { level, trend } = start;
  let error = 0;
  for (let i = 0; i < values.length; i++) {
    trend *= damping;
    level += trend;
    const news = values[i]! - level;
    if (Number.isNaN(news)) continue;
    error += news * news;
    level += factor * news;
    trend += gain * news;
  }
  return { level, trend, error };
}

interface Start {
  readonly level: number;
  readonly trend: number;
}

/** Median and mean change of the first values; NaN and 0 without any. */
function startOf(values: Float64Array): Start {
  const first: number[] = [];
  const count = Math.max(1, Math.min(START.most, Math.floor(START.share * values.length)));
  for (let i = 0; i < values.length && first.length < count; i++)
    if (!Number.isNaN(values[i]!)) first.push(values[i]!);
  const trend = first.length < 2 ? 0 : (first.at(-1)! - first[0]!) / (first.length - 1);
  return { level: medianOf(first), trend };
}
