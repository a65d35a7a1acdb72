// Plans the window of an evaluation: the intervals completed since the last one, ending `offset` behind now; pure.
import { ceilTo, countIntervals, floorTo, type Range } from "../core/series/grid.ts";

/** Longest window, in intervals. */
const MAX_INTERVALS = 60;

interface WindowInput {
  readonly nowAt: number;
  /** How far behind now a window ends, ms. */
  readonly offsetMs: number;
  readonly intervalMs: number;
  /** End (exclusive) of the last window that was evaluated; null = none yet. */
  readonly lastWindowAt: number | null;
}

export interface Window {
  readonly range: Range;
  /** Intervals completed since the last window, also those beyond the longest window. */
  readonly behind: number;
}

/** The window to evaluate, or undefined while no interval was completed since the last one. */
export function planWindow({ nowAt, offsetMs, intervalMs, lastWindowAt }: WindowInput): Window | undefined {
  const toAt = floorTo(nowAt - offsetMs, intervalMs);
  const newest = { range: { fromAt: toAt - intervalMs, toAt }, behind: 1 };
  if (lastWindowAt === null) return newest;
  if (toAt > lastWindowAt) {
    // Rounded up, because a retrained model may have longer intervals.
    const sinceAt = Math.min(ceilTo(lastWindowAt, intervalMs), newest.range.fromAt);
    const behind = countIntervals({ fromAt: sinceAt, toAt }, intervalMs);
    return { range: { fromAt: Math.max(sinceAt, toAt - MAX_INTERVALS * intervalMs), toAt }, behind };
  }
  // The last window ends ahead of now: the clock was set back.
  return lastWindowAt - nowAt >= intervalMs ? newest : undefined;
}
