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
  changes: (window) => countPairs(window, (before, value) => before !== value && !areNaN(before, value)),
  resets: (window) => countPairs(window, (before, value) => value < before),
};

function perSecond({ startAt, endAt }: Window, increase: number | undefined): number | undefined {
  return increase === undefined ? undefined : increase / ((endAt - startAt) / 1000);
}

function extrapolate(window: Window, isCounter: boolean): number | undefined {
  const { times, values, from, to, startAt, endAt } = window;
  const last = to - 1;
  if (last <= from) return undefined;
  const first = values[from]!;
  const change = values[last]! - first + (isCounter ? lostByResets(window) : 0);
  const sampled = (times[last]! - times[from]!) / 1000;
  const mean = sampled / (last - from);
  let toStart = (times[from]! - startAt) / 1000;
  const toEnd = (endAt - times[last]!) / 1000;
  if (isCounter && change > 0 && first >= 0) toStart = Math.min(toStart, sampled * (first / change));
  return change * ((sampled + gapWithin(toStart, mean) + gapWithin(toEnd, mean)) / sampled);
}

function gapWithin(gap: number, mean: number): number {
  return gap < mean * EXTRAPOLATED_INTERVALS ? gap : mean / 2;
}

function lostByResets({ values, from, to, falls }: Window): number {
  let lost = 0;
  if (!falls) return lost;
  for (let i = from + 1; i < to; i++) if (values[i]! < values[i - 1]!) lost += values[i - 1]!;
  return lost;
}

function lastDifference({ times, values, from, to }: Window, isRate: boolean): number | undefined {
  const last = to - 1;
  if (last <= from) return undefined;
  const [before, value] = [values[last - 1]!, values[last]!];
  const ms = times[last]! - times[last - 1]!;
  if (ms === 0) return undefined;
  if (!isRate) return value - before;
  return (value < before ? value : value - before) / (ms / 1000);
}

function countPairs({ values, from, to }: Window, test: (before: number, value: number) => boolean): number {
  let count = 0;
  for (let i = from + 1; i < to; i++) if (test(values[i - 1]!, values[i]!)) count++;
  return count;
}

function areNaN(a: number, b: number): boolean {
  return Number.isNaN(a) && Number.isNaN(b);
}
