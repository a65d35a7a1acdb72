// Bend of a level: a parabola that speeds up, an exponential that leaves a limit or approaches one, or an S-curve, where a line is clearly worse; pure.
import {
  type Basis,
  type Fit,
  fit,
  leastOf,
  type Means,
  meansOf,
  one,
  place,
  varianceAt,
} from "./curve-fit.ts";
import { noiseOf } from "./noise.ts";
import { type Curve, fitCurve } from "./s-curve.ts";

/** Exponents over the values looked at: growth that slows down below 0, that speeds up above it. */
const EXPONENTS = [-8, -5.5, -4, -3, -2, -1, 1, 2, 3, 4, 5.5, 8];
/** Shares of the values, the newest, that a bend is fitted to: the greatest one that it explains. */
const SHARES = [1, 1 / 2, 1 / 4];
/** Least number of those values. */
const MIN_VALUES = 12;
/**
 * Largest deviation around a bend that explains the values, in that of the noise from one to the next: of many values,
 * and what is added over the root of their number, as few tell little of the noise.
 */
const MAX_NOISE = { many: 1.2, few: 2.4 };
/** Least gain over a line in squared errors, in those around the bend: it is one of a dozen that were tried. */
const MIN_GAIN = 25;
/** Largest share of the variance that a line leaves of an S-curve: growth goes one way. */
const MAX_REST = 0.5;

/** A bend, by lead: 0 = the first interval after the values. */
export interface Bend {
  readonly at: (lead: number) => number;
  /** Standard deviation of a value from it, for what the values leave open. */
  readonly errorAt: (lead: number) => number;
  /** Independent errors that this is known from. */
  readonly free: number;
}

/** Newest values of a level, and the same with their spikes. */
interface Newest {
  readonly values: Float64Array;
  readonly spiky: Float64Array;
}

/** Of values with their spikes, as a steep bend looks like these, else of those without. */
export function bendOfLevel({ spiky, values }: Newest): Bend | undefined {
  return bendOf(spiky) ?? (values === spiky ? undefined : bendOf(values));
}

/** Undefined where a line is as good, or no bend explains even the newest values. @param values NaN = missing */
export function bendOf(values: Float64Array): Bend | undefined {
  const noise = noiseOf(values.filter(Number.isFinite));
  for (const share of SHARES) {
    const means = meansOf(values.subarray(Math.floor(values.length * (1 - share))));
    if (means.count < MIN_VALUES) return undefined;
    const simple = simplest(means);
    const isExplained = explains(simple, means, noise);
    if (isExplained && !isBetter(simple, fit(means, [one, place]), means)) return undefined;
    const curve = curveOf(means, simple);
    if (curve && explains(curve, means, noise)) return along(means, curve);
    if (isExplained) return along(means, simple);
  }
  return undefined;
}

/** Whether an S-curve explains all values: segments are then pieces of it. @param values NaN = missing */
export function isCurve(values: Float64Array): boolean {
  const means = meansOf(values);
  const curve = means.count < MIN_VALUES ? undefined : curveOf(means);
  return curve !== undefined && explains(curve, means, noiseOf(values.filter(Number.isFinite)));
}

/** An S-curve that is clearly better than a line and the best of the simple bends. */
function curveOf(means: Means, simple?: Fit): Curve | undefined {
  const line = fit(means, [one, place]);
  if (line.error > MAX_REST * fit(means, [one]).error) return undefined;
  const curve = fitCurve(means);
  if (!curve || !isBetter(curve, line, means)) return undefined;
  return isBetter(curve, simple ?? simplest(means), means) ? curve : undefined;
}

function isBetter(own: Fit, other: Fit, { at }: Means): boolean {
  return other.error - own.error >= (MIN_GAIN * own.error) / at.length;
}

function explains({ error }: Fit, { at, count }: Means, noise: number): boolean {
  return Math.sqrt(error / at.length) <= (MAX_NOISE.many + MAX_NOISE.few / Math.sqrt(count)) * noise;
}

function along(means: Means, { valueAt, error, bases }: Curve): Bend {
  const free = means.at.length - bases.length;
  const placeOf = (lead: number) => (Math.max(0, lead) + 1) / means.length;
  return {
    at: (lead) => valueAt(placeOf(lead)),
    errorAt: (lead) => Math.sqrt((error / free) * varianceAt(means, bases, placeOf(lead))),
    free,
  };
}

const parabola: Basis = (at) => at ** 2;

/** The best of the parabola and the exponentials. */
function simplest(means: Means): Curve {
  const bases = [one, place, parabola];
  const square = { ...fit(means, bases), bases };
  const bends = exponentials.map(({ value, slope }) => ({
    ...fit(means, [one, value]),
    bases: [one, value, slope],
  }));
  return leastOf([...bends, ...(speedsUp(square) ? [square] : [])]);
}

// At most 1 in the values; the slope is that by the exponent.
const exponentials = EXPONENTS.map((own) => {
  const from = own > 0 ? 0 : 1;
  const value: Basis = (at) => Math.exp(own * (at + from));
  return { value, slope: ((at) => (at + from) * value(at)) as Basis };
});

/** Whether a parabola is steeper at its end than at its begin: one that slows down would turn round. */
function speedsUp({ factors: [, slope = 0, bend = 0] }: Fit): boolean {
  return Math.abs(slope) >= Math.abs(slope - 2 * bend);
}
