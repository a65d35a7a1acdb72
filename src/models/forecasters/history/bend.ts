// Bend of a level: a parabola that speeds up, or an exponential that leaves a limit or approaches one, where a line is clearly worse; pure.
import { solve } from "../../stats/solve.ts";
import { noiseOf } from "./noise.ts";

/** Exponents over the values looked at: growth that slows down below 0, that speeds up above it. */
const EXPONENTS = [-8, -5.5, -4, -3, -2, -1, 1, 2, 3, 4, 5.5, 8];
/** Shares of the values, the newest, that a bend is fitted to: the greatest one that it explains. */
const SHARES = [1, 1 / 2, 1 / 4];
/** Least number of those values, and most means of stretches that they become. */
const MIN_VALUES = 12;
const MAX_MEANS = 120;
/**
 * Largest deviation around a bend that explains the values, in that of the noise from one to the next: of many values,
 * and what is added over the root of their number, as few tell little of the noise.
 */
const MAX_NOISE = { many: 1.2, few: 2.4 };
/** Least gain over a line in squared errors, in those around the bend: it is one of a dozen that were tried. */
const MIN_GAIN = 25;

/** The level at a lead, 0 = the first interval after the values. */
type Path = (lead: number) => number;

/** Undefined where a line is as good, or no bend explains even the newest values. @param values NaN = missing */
export function bendOf(values: Float64Array): Path | undefined {
  const noise = noiseOf(values.filter(Number.isFinite));
  for (const share of SHARES) {
    const means = meansOf(values.subarray(Math.floor(values.length * (1 - share))));
    if (means.count < MIN_VALUES) return undefined;
    const line = fit(means, [one, place]);
    const square = fit(means, [one, place, parabola]);
    const bends = exponentials.map((own) => fit(means, [one, own]));
    const best = [...bends, ...(speedsUp(square) ? [square] : [])].reduce((a, b) =>
      b.error < a.error ? b : a,
    );
    const spread = best.error / means.at.length;
    const most = MAX_NOISE.many + MAX_NOISE.few / Math.sqrt(means.count);
    if (Math.sqrt(spread) > most * noise) continue;
    return line.error - best.error < MIN_GAIN * spread ? undefined : best.path;
  }
  return undefined;
}

/** Function of the place among the values: -1 = the first one, 0 = the last. */
type Basis = (at: number) => number;

const one: Basis = () => 1;
const place: Basis = (at) => at;
const parabola: Basis = (at) => at ** 2;
// At most 1 in the values.
const exponentials = EXPONENTS.map(
  (own): Basis =>
    (at) =>
      Math.exp(own * (own > 0 ? at : at + 1)),
);

/** Means of stretches of values. */
interface Means {
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

function meansOf(values: Float64Array): Means {
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

/** Whether a parabola is steeper at its end than at its begin: one that slows down would turn round. */
function speedsUp({ factors: [, slope = 0, bend = 0] }: Fit): boolean {
  return Math.abs(slope) >= Math.abs(slope - 2 * bend);
}

interface Fit {
  readonly factors: Float64Array;
  /** Sum of squared errors of the means, each as often as it has values. */
  readonly error: number;
  readonly path: Path;
}

/** Least squares of a sum of functions. */
function fit({ at, values, sizes, length }: Means, bases: readonly Basis[]): Fit {
  // Around their mean, for squares of large values lose the digits that matter.
  const center = values.reduce((sum, value) => sum + value / values.length, 0);
  const rows = bases.map((basis) => at.map(basis));
  const product = (a: readonly number[], b: readonly number[]) => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += sizes[i]! * a[i]! * b[i]!;
    return sum;
  };
  const off = values.map((value) => value - center);
  const factors = solve(
    rows.map((row) => Float64Array.from(rows, (other) => product(row, other))),
    Float64Array.from(rows, (row) => product(row, off)),
  );
  const valueAt = (own: number) => bases.reduce((sum, basis, k) => sum + factors[k]! * basis(own), 0);
  let error = 0;
  for (let i = 0; i < off.length; i++) {
    let value = 0;
    for (let k = 0; k < rows.length; k++) value += factors[k]! * rows[k]![i]!;
    error += sizes[i]! * (off[i]! - value) ** 2;
  }
  return { factors, error, path: (lead) => center + valueAt((Math.max(0, lead) + 1) / length) };
}
