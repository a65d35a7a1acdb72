// Grids: evenly spaced intervals with one column of numbers per feature; NaN = missing.
export interface Grid {
  /** Start of the first interval, ms since the epoch; a multiple of `intervalMs`. */
  readonly startAt: number;
  readonly intervalMs: number;
  readonly length: number;
  /** One value per interval and feature name, all of `length`. */
  readonly columns: Readonly<Record<string, Float64Array>>;
}

export interface Range {
  /** Inclusive, ms since the epoch. */
  readonly fromAt: number;
  /** Exclusive, ms since the epoch. */
  readonly toAt: number;
}

/** Start of the interval that contains `at`; intervals are aligned on the epoch. */
export function floorTo(at: number, intervalMs: number): number {
  return Math.floor(at / intervalMs) * intervalMs;
}

/** The first interval boundary at or after `at`. */
export function ceilTo(at: number, intervalMs: number): number {
  // Adding 0 turns -0 into 0.
  return Math.ceil(at / intervalMs) * intervalMs + 0;
}

/** The smallest range of whole intervals that contains `range`. */
export function alignRange(range: Range, intervalMs: number): Range {
  return { fromAt: floorTo(range.fromAt, intervalMs), toAt: ceilTo(range.toAt, intervalMs) };
}

/** Aligned, without the interval that is still filling: it would be learnt or scored as a drop. */
export function completeRange(range: Range, intervalMs: number, nowAt: number): Range {
  const { fromAt, toAt } = alignRange(range, intervalMs);
  const isFilling = toAt > nowAt && range.toAt <= nowAt;
  return { fromAt, toAt: isFilling ? floorTo(range.toAt, intervalMs) : toAt };
}

/** Number of whole intervals in an aligned range. */
export function countIntervals(range: Range, intervalMs: number): number {
  return Math.max(0, Math.round((range.toAt - range.fromAt) / intervalMs));
}

/** A grid over an aligned range with every value missing. */
export function emptyGrid(range: Range, intervalMs: number, names: readonly string[]): Grid {
  const length = countIntervals(range, intervalMs);
  const columns: Record<string, Float64Array> = {};
  for (const name of names) columns[name] = new Float64Array(length).fill(Number.NaN);
  return { startAt: range.fromAt, intervalMs, length, columns };
}

/** Start of every interval, in seconds since the epoch: the `timestamps` of the API. */
export function timestampsOf(grid: Grid): number[] {
  return Array.from({ length: grid.length }, (_, i) => (grid.startAt + i * grid.intervalMs) / 1000);
}

/** The intervals `from` (inclusive) to `to` (exclusive); its columns are views of the whole. */
export function sliceGrid(grid: Grid, from: number, to: number): Grid {
  const columns: Record<string, Float64Array> = {};
  for (const [name, column] of Object.entries(grid.columns)) columns[name] = column.subarray(from, to);
  return {
    startAt: grid.startAt + from * grid.intervalMs,
    intervalMs: grid.intervalMs,
    length: to - from,
    columns,
  };
}

/** Number of values that are not NaN. */
export function countPresent(column: Float64Array): number {
  let present = 0;
  for (const value of column) if (!Number.isNaN(value)) present++;
  return present;
}

/** Replaces NaN and infinities by null, for JSON. */
export function toNullable(column: Float64Array): (number | null)[] {
  return Array.from(column, (value) => (Number.isFinite(value) ? value : null));
}
