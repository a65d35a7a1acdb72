// Linear detector: principal components of windows predict the last point of a window; pure.
import { Type } from "@sinclair/typebox";
import { numbers, positive, type Stored, sizeUpTo, strict } from "../stored-schema.ts";

const MAX_COMPONENTS = 5;
const MAX_WINDOW = 120;
const MIN_WINDOW = 8;
/** Windows that the components are fitted to, evenly spaced if there are more. */
const MAX_WINDOWS = 4000;
/** Limits of standardised values in the fit, so that outliers do not become a component, and in scoring. */
const FIT_CLIP = 6;
const SCORE_CLIP = 50;
const ITERATIONS = 30;
/** Least distance, as a share of the series' deviation: without noise, rounding errors would be rare. */
const FLOOR_SHARE = 0.02;

/** Principal components of the windows of a column. */
export const LinearFitSchema = Type.Object(
  {
    /** Length of a window, in intervals. */
    window: sizeUpTo(10_000),
    /** Median and deviation of the column, in units of the data. */
    center: Type.Number(),
    scale: positive,
    /** Mean window, standardised. */
    mean: numbers(10_000),
    /** Orthonormal components, each as long as a window. */
    components: Type.Array(numbers(10_000), { maxItems: 100 }),
  },
  strict,
);
export type LinearFit = Stored<typeof LinearFitSchema>;

/** Length of the windows that `points` points allow. */
export function linearWindow(span: number, points: number): number {
  return Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, span, Math.floor(points / 4)));
}

/**
 * Principal components of the windows of a column without gaps.
 * @param location median and deviation of the column
 * @param most windows that the components are fitted to
 */
export function fitLinear(
  column: Float64Array,
  window: number,
  { center, scale }: { center: number; scale: number },
  most = MAX_WINDOWS,
): LinearFit {
  const cut = column.map((value) => clip((value - center) / scale, FIT_CLIP));
  const starts = pickStarts(column.length - window + 1, Math.min(MAX_WINDOWS, most));
  const mean = new Float64Array(window);
  for (const start of starts) for (let k = 0; k < window; k++) mean[k]! += cut[start + k]! / starts.length;
  const covariance = covarianceOf(cut, { starts, mean, window });
  const components = leadingVectors(covariance, window, Math.min(MAX_COMPONENTS, window - 1));
  return {
    window,
    center,
    scale,
    mean: Array.from(mean, roundDigits),
    components: components.map((vector) => Array.from(vector, roundDigits)),
  };
}

/** Expectation of the last point of the window that ends at `end` (inclusive), in units of the data. */
export function expectLinear(fit: LinearFit, column: Float64Array, end: number): number {
  return linearExpectation(fit, column, end)(column[end]!);
}

/** As `expectLinear`, of each point from one on: a value is standardised once for all of its windows; NaN before it. */
export function expectationsOf(fit: LinearFit, column: Float64Array, from: number): Float64Array {
  const { window, center, scale, mean, components } = fit;
  const z = column.map((value) =>
    Number.isFinite(value) ? clip((value - center) / scale, SCORE_CLIP) : Number.NaN,
  );
  const vectors = components.map((vector) => Float64Array.from(vector));
  const means = Float64Array.from(mean);
  const expected = new Float64Array(column.length).fill(Number.NaN);
  const offsets = new Float64Array(window);
  const newest = window - 1;
  for (let end = from; end < column.length; end++) {
    const start = end - newest;
    for (let k = 0; k < window; k++) {
      const offset = (z[start + k] ?? Number.NaN) - means[k]!;
      offsets[k] = Number.isNaN(offset) ? 0 : offset;
    }
    let sum = means[newest]!;
    for (const vector of vectors) {
      let weight = 0;
      for (let k = 0; k < window; k++) weight += vector[k]! * offsets[k]!;
      sum += weight * vector[newest]!;
    }
    expected[end] = sum * scale + center;
  }
  return expected;
}

/** As `expectLinear`, by any last value: what the values before it add is summed up once. */
export function linearExpectation(
  { window, center, scale, mean, components }: LinearFit,
  column: Float64Array,
  end: number,
): (last: number) => number {
  const start = end - window + 1;
  const newest = window - 1;
  const offsetOf = (value: number, k: number) =>
    Number.isFinite(value) ? clip((value - center) / scale, SCORE_CLIP) - mean[k]! : 0;
  const offsets = new Float64Array(newest);
  // Values before the series are those of the mean window.
  for (let k = Math.max(0, -start); k < newest; k++) offsets[k] = offsetOf(column[start + k]!, k);
  const before = components.map((vector) => {
    let weight = 0;
    for (let k = 0; k < newest; k++) weight += vector[k]! * offsets[k]!;
    return weight;
  });
  return (last) => {
    const offset = offsetOf(last, newest);
    let expected = mean[newest]!;
    for (const [c, vector] of components.entries())
      expected += (before[c]! + vector[newest]! * offset) * vector[newest]!;
    return expected * scale + center;
  };
}

/** Statistic of a distance from the expectation: bounded below, so that negligible distances are equal. */
export function linearStatistic({ scale }: LinearFit, distance: number): number {
  return Math.max(Math.abs(distance), FLOOR_SHARE * scale);
}

/** Up to `limit` of 0..count-1, evenly spaced. */
function pickStarts(count: number, limit: number): Int32Array {
  const length = Math.max(0, Math.min(count, limit));
  return Int32Array.from({ length }, (_, i) => Math.floor((i * count) / length));
}

interface Windows {
  readonly starts: Int32Array;
  readonly mean: Float64Array;
  readonly window: number;
}

/** Windows that are added to the covariance at once: each entry is read and written once for all of them. */
const AT_ONCE = 4;

/** [W, W], row-major. */
function covarianceOf(cut: Float64Array, { starts, mean, window }: Windows): Float64Array {
  const covariance = new Float64Array(window * window);
  // Windows beyond the last one add nothing.
  const offsets = new Float64Array(AT_ONCE * window);
  for (let first = 0; first < starts.length; first += AT_ONCE) {
    for (let j = 0; j < AT_ONCE; j++) {
      const start = starts[first + j];
      for (let k = 0; k < window; k++)
        offsets[j * window + k] = start === undefined ? 0 : cut[start + k]! - mean[k]!;
    }
    addProducts(covariance, offsets, window);
  }
  for (let row = 0; row < window; row++)
    for (let k = 0; k < row; k++) covariance[row * window + k] = covariance[k * window + row]!;
  return covariance;
}

/** Adds the products of the offsets of `AT_ONCE` windows to the upper triangle, one window after the other. */
function addProducts(covariance: Float64Array, offsets: Float64Array, window: number): void {
  const [second, third, fourth] = [window, 2 * window, 3 * window];
  for (let row = 0; row < window; row++) {
    const a = offsets[row]!;
    const b = offsets[second + row]!;
    const c = offsets[third + row]!;
    const d = offsets[fourth + row]!;
    for (let k = row; k < window; k++) {
      let sum = covariance[row * window + k]!;
      sum += a * offsets[k]!;
      sum += b * offsets[second + k]!;
      sum += c * offsets[third + k]!;
      sum += d * offsets[fourth + k]!;
      covariance[row * window + k] = sum;
    }
  }
}

/** Leading eigenvectors of a symmetric matrix by orthogonal iteration (Golub and Van Loan, Matrix Computations, 7.3). */
function leadingVectors(matrix: Float64Array, size: number, count: number): Float64Array[] {
  // Start from cosines of rising frequency: smooth, orthogonal, and close to the components of most series.
  let vectors: Float64Array[] = Array.from({ length: count }, (_, j) =>
    Float64Array.from(
      { length: size },
      (_, k) => Math.cos((Math.PI * j * (k + 0.5)) / size) + 1e-3 * (k % (j + 2)),
    ),
  );
  for (let round = 0; round < ITERATIONS; round++)
    vectors = orthonormalise(vectors.map((vector) => multiply(matrix, vector)));
  return vectors;
}

/** @param matrix symmetric */
function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const product = new Float64Array(size);
  // By columns, as the sums of the rows do not wait for one another; of a symmetric matrix they are its rows.
  for (let k = 0; k < size; k++) {
    const own = vector[k]!;
    for (let row = 0; row < size; row++) product[row] = product[row]! + matrix[k * size + row]! * own;
  }
  return product;
}

/** Modified Gram-Schmidt; vanishing directions become zero. */
function orthonormalise(vectors: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    const length = Math.sqrt(dot(rest, rest));
    for (const other of done) {
      const share = dot(rest, other);
      for (let k = 0; k < rest.length; k++) rest[k]! -= share * other[k]!;
    }
    const left = Math.sqrt(dot(rest, rest));
    done.push(left > 1e-9 * length && left > 0 ? rest.map((value) => value / left) : rest.fill(0));
  }
  return done;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

/** The value, or the limit on its side. */
export function clip(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}

/** Single precision suffices, and halves the stored bytes. */
function roundDigits(value: number): number {
  return Number(value.toPrecision(7));
}
