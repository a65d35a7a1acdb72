// Least squares of a sum of functions to a level, by the means of its stretches, and the errors of its continuation; pure.
import { solve } from "../../stats/solve.ts";

/** Most means of stretches that values become. */
const MAX_MEANS = 120;

/** Function of the place among the values: -1 = the first one, 0 = the last. */
export type Basis = (at: number) => number;

export const one: Basis = () => 1;
export const place: Basis = (at) => at;

/** Means of stretches of values. */
export interface Means {
  /** Places, see `Basis`. */
  readonly at: readonly number[];
  readonly values: readonly number[];
  /** Values of each. */
  readonly sizes: readonly number[];
  /** Values of all. */
  readonly count: number;
  /** Intervals of all. */
  readonly length: number;
}

/** Of stretches of as many values each. @param values NaN = missing */
export function meansOf(values: Float64Array): Means {
  const { length } = values;
  const size = Math.max(1, Math.ceil(length / MAX_MEANS));
  const [at, means, sizes]: [number[], number[], number[]] = [[], [], []];
  for (let from = 0; from < length; from += size) {
    const to = Math.min(length, from + size);
    const present = values.subarray(from, to).filter(Number.isFinite);
    if (present.length === 0) continue;
    at.push(((from + to - 1) / 2 - (length - 1)) / length);
    means.push(present.reduce((sum, value) => sum + value, 0) / present.length);
    sizes.push(present.length);
  }
  return { at, values: means, sizes, count: sizes.reduce((sum, own) => sum + own, 0), length };
}

export interface Fit {
  readonly factors: Float64Array;
  /** Sum of squared errors of the means, each as often as it has values. */
  readonly error: number;
  readonly valueAt: Basis;
}

/** Least squares of a sum of functions. */
export function fit({ at, values, sizes }: Means, bases: readonly Basis[]): Fit {
  // Around their mean, for squares of large values lose the digits that matter.
  const center = values.reduce((sum, value) => sum + value / values.length, 0);
  const rows = bases.map((basis) => at.map(basis));
  const off = values.map((value) => value - center);
  const factors = solve(
    productsOf(rows, sizes),
    Float64Array.from(rows, (row) => product(row, off, sizes)),
  );
  const valueAt: Basis = (own) => center + bases.reduce((sum, basis, k) => sum + factors[k]! * basis(own), 0);
  let error = 0;
  for (let i = 0; i < off.length; i++) {
    let value = 0;
    for (let k = 0; k < rows.length; k++) value += factors[k]! * rows[k]![i]!;
    error += sizes[i]! * (off[i]! - value) ** 2;
  }
  return { factors, error, valueAt };
}

/** The fit with the least error. */
export function leastOf<F extends Pick<Fit, "error">>(fits: readonly F[]): F {
  return fits.reduce((a, b) => (b.error < a.error ? b : a));
}

function productsOf(rows: readonly (readonly number[])[], sizes: readonly number[]): Float64Array[] {
  return rows.map((row) => Float64Array.from(rows, (other) => product(row, other, sizes)));
}

function product(a: readonly number[], b: readonly number[], sizes: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += sizes[i]! * a[i]! * b[i]!;
  return sum;
}

/**
 * How much larger the variance of a value at a place is than that of the noise: by what the values leave open of the
 * factors of some functions (linear least squares).
 */
export function varianceAt({ at, sizes }: Means, bases: readonly Basis[], own: number): number {
  const row = Float64Array.from(bases, (basis) => basis(own));
  const open = solve(
    productsOf(
      bases.map((basis) => at.map(basis)),
      sizes,
    ),
    row,
  );
  return 1 + row.reduce((sum, value, k) => sum + value * open[k]!, 0);
}
