// Quantum of a column: the step of a sensor that rounds, as half a degree or a whole percent; pure.

/** Changes from which a step is known, and how many of them must be multiples of it. */
const MIN_CHANGES = 50;
const MIN_SHARE = 0.99;
/** Least deviation of a column in steps: of two or three levels each is a state of its own. */
const MIN_DEVIATION = 1.5;
/** Distance from a multiple that is rounding of floating point, in steps. */
const TOLERANCE = 1e-3;

/**
 * The step of which all changes are multiples; undefined where values are not rounded, or take few levels.
 * @param column NaN = missing
 * @param deviation of the column, in its units
 */
export function findQuantum(column: Float64Array, deviation: number): number | undefined {
  const changes: number[] = [];
  let before = Number.NaN;
  for (const value of column) {
    if (!Number.isFinite(value)) continue;
    const change = Math.abs(value - before);
    if (change > 0) changes.push(change);
    before = value;
  }
  if (changes.length < MIN_CHANGES) return undefined;
  const quantum = changes.reduce((least, change) => Math.min(least, change));
  if (deviation < MIN_DEVIATION * quantum) return undefined;
  const isMultiple = (change: number) =>
    Math.abs(change / quantum - Math.round(change / quantum)) <= TOLERANCE * Math.max(1, change / quantum);
  return changes.filter(isMultiple).length >= MIN_SHARE * changes.length ? quantum : undefined;
}
