// Peer: linear model. Windows are projected on the first principal components of the training windows.

const COMPONENTS = 5;
/** Rounds of subspace iteration: far more than five directions that matter need. */
const ROUNDS = 60;

interface Plan {
  /** Intervals per window. */
  readonly window: number;
  /** End of the training part. */
  readonly trainTo: number;
}

/** @returns squared error of each window's last point after projection, in training variances; NaN = missing */
export function linearResidual(values: Float64Array, { window, trainTo }: Plan): Float64Array {
  const { mean, deviation } = momentsOf(values.subarray(0, trainTo));
  const filled = carryForward(values).map((value) => (value - mean) / deviation);
  const { center, axes } = principalAxes(filled.subarray(0, trainTo), window);
  const result = new Float64Array(values.length).fill(Number.NaN);
  for (let end = window; end <= values.length; end++) {
    if (Number.isNaN(values[end - 1]!)) continue;
    let fitted = center[window - 1]!;
    for (const axis of axes) {
      let weight = 0;
      for (let j = 0; j < window; j++) weight += axis[j]! * (filled[end - window + j]! - center[j]!);
      fitted += weight * axis[window - 1]!;
    }
    result[end - 1] = (filled[end - 1]! - fitted) ** 2;
  }
  return result;
}

function momentsOf(values: Float64Array): { mean: number; deviation: number } {
  const present = values.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value, 0) / Math.max(1, present.length);
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, present.length);
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

/** Missing values take the one before; those at the start the first there is. */
function carryForward(values: Float64Array): Float64Array {
  let last = values.find(Number.isFinite) ?? 0;
  return values.map((value) => {
    if (Number.isFinite(value)) last = value;
    return last;
  });
}

/** Mean window and orthonormal directions of largest variance. */
function principalAxes(values: Float64Array, window: number): { center: Float64Array; axes: Float64Array[] } {
  const count = Math.max(0, values.length - window + 1);
  const center = new Float64Array(window);
  for (let s = 0; s < count; s++) for (let j = 0; j < window; j++) center[j]! += values[s + j]! / count;
  const covariance = covarianceOf(values, center);
  // Any start with a share of each direction will do; cosines are spread over all of them and the same at each run.
  let axes = Array.from({ length: Math.min(COMPONENTS, window) }, (_, k) =>
    Float64Array.from(
      { length: window },
      (_, j) => Math.cos((Math.PI * k * (j + 0.5)) / window) + 0.01 * j * k,
    ),
  );
  for (let round = 0; round < ROUNDS; round++)
    axes = orthonormalise(axes.map((axis) => Float64Array.from(covariance, (row) => dot(row, axis))));
  return { center, axes };
}

function covarianceOf(values: Float64Array, center: Float64Array): Float64Array[] {
  const window = center.length;
  const rows = Array.from({ length: window }, () => new Float64Array(window));
  const centred = new Float64Array(window);
  for (let s = 0; s + window <= values.length; s++) {
    for (let j = 0; j < window; j++) centred[j] = values[s + j]! - center[j]!;
    for (let j = 0; j < window; j++) {
      const row = rows[j]!;
      for (let k = 0; k <= j; k++) row[k]! += centred[j]! * centred[k]!;
    }
  }
  for (let j = 0; j < window; j++) for (let k = 0; k < j; k++) rows[k]![j] = rows[j]![k]!;
  return rows;
}

/** Gram-Schmidt; directions without length are dropped. */
function orthonormalise(vectors: readonly Float64Array<ArrayBuffer>[]): Float64Array<ArrayBuffer>[] {
  const basis: Float64Array<ArrayBuffer>[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    // Twice is enough: the second pass removes what rounding left of the first.
    for (let pass = 0; pass < 2; pass++)
      for (const axis of basis) {
        const share = dot(rest, axis);
        for (const [j, value] of axis.entries()) rest[j]! -= share * value;
      }
    const length = Math.sqrt(dot(rest, rest));
    if (length > 1e-12 * Math.sqrt(dot(vector, vector))) basis.push(rest.map((value) => value / length));
  }
  return basis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
