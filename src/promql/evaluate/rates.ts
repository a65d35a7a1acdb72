// Rates and differences of windows: increase by extrapolation to the edges of the range, counter resets included.
import type { Window, WindowFunction } from "./window.ts";

/** Times the mean interval: a gap at an edge up to which the series is taken to go on to that edge. */
const EXTRAPOLATED_INTERVALS = 1.1;

export const rates: Readonly<Record<string, WindowFunction>> = {
  rate: (window) => perSecond(window, extrapolate(window, true)),
  increase: (window) => extrapolate(window, true),
  delta: (window) => extrapolate(window, false),
  irate: (window) => lastDifference(window, true),
  idelta: (window) => lastDifference(window, false),
  changes: ({ values }) => countPairs(values, (before, value) => before !== value && !areNaN(before, value)),
  resets: ({ values }) => countPairs(values, (before, value) => value < before),
};

function perSecond({ startAt, endAt }: Window, increase: number | undefined): number | undefined {
  return increase === undefined ? undefined : increase / ((endAt - startAt) / 1000);
}

function extrapolate(window: Window, isCounter: boolean): number | undefined {
  const { times, values, startAt, endAt } = window;
  const last = values.length - 1;
  if (last < 1) return undefined;
  const change = values[last]! - values[0]! + (isCounter ? lostByResets(values) : 0);
  const sampled = (times[last]! - times[0]!) / 1000;
  const mean = sampled / last;
  let toStart = (times[0]! - startAt) / 1000;
  const toEnd = (endAt - times[last]!) / 1000;
  if (isCounter && change > 0 && values[0]! >= 0)
    toStart = Math.min(toStart, sampled * (values[0]! / change));
  const within = (gap: number) => (gap < mean * EXTRAPOLATED_INTERVALS ? gap : mean / 2);
  return change * ((sampled + within(toStart) + within(toEnd)) / sampled);
}

function lostByResets(values: Float64Array): number {
  let lost = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) lost += values[i - 1]!;
  return lost;
}

function lastDifference({ times, values }: Window, isRate: boolean): number | undefined {
  const last = values.length - 1;
  if (last < 1) return undefined;
  const [before, value] = [values[last - 1]!, values[last]!];
  const ms = times[last]! - times[last - 1]!;
  if (ms === 0) return undefined;
  if (!isRate) return value - before;
  return (value < before ? value : value - before) / (ms / 1000);
}

function countPairs(values: Float64Array, test: (before: number, value: number) => boolean): number {
  let count = 0;
  for (let i = 1; i < values.length; i++) if (test(values[i - 1]!, values[i]!)) count++;
  return count;
}

function areNaN(a: number, b: number): boolean {
  return Number.isNaN(a) && Number.isNaN(b);
}
