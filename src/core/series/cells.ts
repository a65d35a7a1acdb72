// Cells: consecutive intervals folded into minimum, mean and maximum, so that a chart keeps every spike.
import { ceilTo, floorTo, type Range } from "./grid.ts";

/** Digits of a folded value: more than a chart can show. */
const DIGITS = 5;

/** Columns of one value per cell; NaN where no interval has one. */
export interface Cells {
  readonly min: Float64Array;
  readonly mean: Float64Array;
  readonly max: Float64Array;
}

/** A range cut into cells of whole intervals. */
export interface CellPlan {
  /** Aligned on `stepMs`, but for its end where that is not over yet. */
  readonly range: Range;
  /** Length of a cell, a multiple of the interval, ms. */
  readonly stepMs: number;
  readonly count: number;
}

/**
 * Plans at most `most` cells, plus one where the range is not aligned; cells are aligned on the epoch, so that
 * overlapping ranges of one length have the same ones.
 * @param nowAt ms since the epoch; the interval that is still filling is left out
 */
export function planCells(
  { fromAt, toAt }: Range,
  { intervalMs, most, nowAt }: { intervalMs: number; most: number; nowAt: number },
): CellPlan {
  const intervals = Math.ceil((toAt - fromAt) / intervalMs);
  const stepMs = Math.max(1, Math.ceil(intervals / most)) * intervalMs;
  const startAt = floorTo(fromAt, stepMs);
  const endAt = Math.max(startAt, Math.min(ceilTo(toAt, stepMs), floorTo(nowAt, intervalMs)));
  return { range: { fromAt: startAt, toAt: endAt }, stepMs, count: Math.ceil((endAt - startAt) / stepMs) };
}

/** Folds a column; the last cell may have fewer intervals. @param size intervals of a cell */
export function foldCells(column: Float64Array, size: number): Cells {
  const count = Math.ceil(column.length / size);
  const min = new Float64Array(count).fill(Number.NaN);
  const mean = new Float64Array(count).fill(Number.NaN);
  const max = new Float64Array(count).fill(Number.NaN);
  for (let cell = 0; cell < count; cell++) {
    const end = Math.min(column.length, (cell + 1) * size);
    let [least, most, sum, present] = [Infinity, -Infinity, 0, 0];
    for (let i = cell * size; i < end; i++) {
      const value = column[i]!;
      if (Number.isNaN(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
      sum += value;
      present++;
    }
    if (present === 0) continue;
    min[cell] = least;
    max[cell] = most;
    mean[cell] = sum / present;
  }
  return { min, mean, max };
}

/** Values for JSON: rounded, null in place of NaN and infinities. */
export function viewCells(column: Float64Array): (number | null)[] {
  return Array.from(column, (value) => (Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null));
}
