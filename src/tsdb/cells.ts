// Cells: equal parts of intervals. The fewer points in each, the less is left to sort. Pure.
import type { Range } from "../core/series/grid.ts";

/** Numbered from the start of a range. */
export interface Cells {
  readonly intervalMs: number;
  readonly perInterval: number;
  readonly count: number;
}

/** @param wanted about how many cells, if not fewer than intervals */
export function divideRange({ fromAt, toAt }: Range, intervalMs: number, wanted: number): Cells {
  const intervals = Math.ceil((toAt - fromAt) / intervalMs);
  // Cells are numbered in exact arithmetic, and none is shorter than a millisecond.
  const most = Math.min(intervalMs, Math.floor(Number.MAX_SAFE_INTEGER / (toAt - fromAt)));
  const perInterval = Math.max(1, Math.min(Math.ceil(wanted / intervals), most));
  return { intervalMs, perInterval, count: intervals * perInterval };
}

/** Number of the cell of an instant so many ms after the start. */
export function cellAt(afterMs: number, { perInterval, intervalMs }: Cells): number {
  // Cutting the fraction off is enough: nothing is before the first cell.
  return ((afterMs * perInterval) / intervalMs) | 0;
}
