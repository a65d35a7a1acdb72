// S-curve of a level (logistic): growth to a limit that has passed its middle, as of a rollout; pure.
import { type Basis, type Fit, fit, leastOf, type Means, one } from "./curve-fit.ts";

/** Middles and steepnesses that a search begins with. */
const MIDDLES = [-0.15, -0.4, -0.65, -0.9];
const STEEPNESSES = [6, 10, 17];
/** First and last step of the search, of the middle and as a share of the steepness. */
const STEP = { first: 0.1, last: 0.002 };
/** Least share by which a step lessens the squared errors: towards an exponential it would go on for thousands. */
const MIN_FALL = 0.002;
/** Steepness from that of a line to that of a step. */
const [MIN_STEEPNESS, MAX_STEEPNESS] = [2, 25];
/** First middle: an earlier one leaves an exponential. */
const FIRST_MIDDLE = -1.5;
/** Least distance of the middle from the last value: before it nothing tells the limit. */
const LEAST_PASSED = 0.1;

/** A fit, and the functions whose factors are its numbers, near them. */
export interface Curve extends Fit {
  readonly bases: readonly Basis[];
}

/** The best S-curve (least squares); undefined where that has not passed its middle, or is a step. */
export function fitCurve(means: Means): Curve | undefined {
  const run = (middle: number, steepness: number) => ({
    middle,
    steepness,
    error: errorOf(means, shapeOf(middle, steepness)),
  });
  let best = leastOf(MIDDLES.flatMap((middle) => STEEPNESSES.map((steepness) => run(middle, steepness))));
  for (let step = STEP.first; step > STEP.last; ) {
    const { middle, steepness } = best;
    const next = leastOf([
      run(middle + step, steepness),
      run(middle - step, steepness),
      run(middle, steepness * (1 + step)),
      run(middle, steepness / (1 + step)),
    ]);
    if (next.error >= (1 - MIN_FALL) * best.error) step /= 2;
    else if (!isPastMiddle(next)) return undefined;
    else best = next;
  }
  if (!isPastMiddle(best)) return undefined;
  const { middle, steepness } = best;
  const shape = shapeOf(middle, steepness);
  // Of the logistic function the slope by its argument.
  const slope: Basis = (at) => shape(at) * (1 - shape(at));
  const bases: Basis[] = [one, shape, slope, (at) => slope(at) * (at - middle)];
  return { ...fit(means, [one, shape]), bases };
}

interface Shape {
  readonly middle: number;
  readonly steepness: number;
}

/** Neither a line, nor a step, nor what is yet to come to its middle. */
function isPastMiddle({ middle, steepness }: Shape): boolean {
  const isCurved = steepness >= MIN_STEEPNESS && steepness <= MAX_STEEPNESS;
  return isCurved && middle >= FIRST_MIDDLE && middle <= -LEAST_PASSED;
}

/** Squared errors of the best multiple of a shape and a constant: as `fit`, for hundreds of shapes. */
function errorOf({ at, values, sizes, count }: Means, shape: Basis): number {
  const first = values[0]!;
  let [x, y, xx, xy, yy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < at.length; i++) {
    const [size, own, value] = [sizes[i]!, shape(at[i]!), values[i]! - first];
    x += size * own;
    y += size * value;
    xx += size * own * own;
    xy += size * own * value;
    yy += size * value * value;
  }
  const spread = xx - (x * x) / count;
  const rest = yy - (y * y) / count;
  // Rounding makes some of those of exact values negative, towards which a search would go for ever.
  return Math.max(0, spread > 0 ? rest - (xy - (x * y) / count) ** 2 / spread : rest);
}

function shapeOf(middle: number, steepness: number): Basis {
  return (at) => 1 / (1 + Math.exp(steepness * (middle - at)));
}
