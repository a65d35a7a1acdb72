// Ranges of intervals that detection has scored, so that a clock set back does not score them a second time; pure.
import type { Range } from "../core/series/grid.ts";

/** The clock jumps rarely: this many ranges are remembered, those scored last. */
const MAX_RANGES = 8;
/** Gaps of up to this many intervals behind a range, without data or skipped, count as scored. */
const BRIDGED_INTERVALS = 60;

/** Scored ranges that do not overlap, the one scored last at the end. */
export type Coverage = readonly Range[];

/** Whether the interval that starts at `at` was scored. */
export function isCovered(coverage: Coverage, at: number): boolean {
  return coverage.some(({ fromAt, toAt }) => at >= fromAt && at < toAt);
}

/** Adds a range, joined with those it touches and those it follows closely. */
export function cover(coverage: Coverage, range: Range, intervalMs: number): Coverage {
  const gapMs = BRIDGED_INTERVALS * intervalMs;
  let { fromAt, toAt } = range;
  const apart: Range[] = [];
  for (const other of coverage) {
    if (other.toAt + gapMs < fromAt || other.fromAt > toAt) {
      apart.push(other);
      continue;
    }
    fromAt = Math.min(fromAt, other.fromAt);
    toAt = Math.max(toAt, other.toAt);
  }
  return [...apart, { fromAt, toAt }].slice(-MAX_RANGES);
}
