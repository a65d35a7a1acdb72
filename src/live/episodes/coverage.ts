// Ranges of scored intervals, so that intervals do not count twice after the clock was set back; pure.
import type { Range } from "../../core/series/grid.ts";

/** Ranges in memory, those scored last: one more per step of the clock. */
const MAX_RANGES = 8;
/** Gaps up to this many intervals, without data or skipped, count as scored. */
const BRIDGED_INTERVALS = 60;

/** Scored ranges that do not overlap, the one scored last at the end. */
export type Coverage = readonly Range[];

/** Whether the interval that starts at `at` was scored. */
export function isCovered(coverage: Coverage, at: number): boolean {
  return coverage.some(({ fromAt, toAt }) => at >= fromAt && at < toAt);
}

/** Adds a range, merged with those it overlaps and those it follows within the largest gap. */
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
