// Differences within windows: between their last samples, and how often values change.
import type { Window, WindowFunction } from "./window.ts";

export const differences: Readonly<Record<string, WindowFunction>> = {
  irate: (window) => lastDifference(window, true),
  idelta: (window) => lastDifference(window, false),
  changes: (window) => countPairs(window, (before, value) => before !== value && !areNaN(before, value)),
  resets: (window) => countPairs(window, (before, value) => value < before),
};

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
