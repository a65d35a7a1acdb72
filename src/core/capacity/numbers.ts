// Statistics of short columns: medians, quantiles, lines and parabolas by least squares; pure.

/** Middle value; NaN of nothing. */
export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

/** @param share 0..1. @returns NaN of nothing */
export function quantile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low]! + (place - low) * (sorted[high]! - sorted[low]!);
}

/** Standard deviation of a normal distribution with the same median deviation from the median. */
export function spread(values: ArrayLike<number>): number {
  const middle = median(values);
  return 1.4826 * median(Float64Array.from(values, (value) => Math.abs(value - middle)));
}

/** A value at an instant; both in units of the caller. */
export interface Place {
  readonly at: number;
  readonly value: number;
}

/** `level + slope * (at - origin) + bend * (at - origin)²` */
interface Curve {
  readonly origin: number;
  readonly level: number;
  readonly slope: number;
  /** 0 of a line. */
  readonly bend: number;
}

export interface FittedCurve extends Curve {
  readonly points: number;
  /** Standard deviation of the residuals. */
  readonly noise: number;
  /** Correlation of neighbouring residuals, 0..1. */
  readonly memory: number;
  /** Variances and covariances of level, slope and bend, for residuals of variance 1. */
  readonly covariance: readonly (readonly number[])[];
}

export const valueAt = ({ origin, level, slope, bend }: Curve, at: number): number =>
  level + (at - origin) * (slope + bend * (at - origin));

/**
 * Fits a line (`degree` 1) or a parabola (2), with its origin at the last place.
 * @returns undefined where the places do not determine it
 */
export function fitCurve(places: readonly Place[], degree: 1 | 2): FittedCurve | undefined {
  const origin = places.at(-1)?.at ?? 0;
  const size = degree + 1;
  const scale = Math.max(1e-12, origin - (places[0]?.at ?? 0));
  const rows = places.map(({ at }) => {
    const x = (at - origin) / scale;
    return degree === 1 ? [1, x] : [1, x, x * x];
  });
  const square = invert(
    Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    ),
  );
  if (!square) return undefined;
  const sums = Array.from({ length: size }, (_, i) =>
    rows.reduce((sum, row, k) => sum + row[i]! * places[k]!.value, 0),
  );
  const scaled = square.map((row) => row.reduce((sum, value, i) => sum + value * sums[i]!, 0));
  const [level = 0, slope = 0, bend = 0] = scaled.map((value, i) => value / scale ** i);
  const covariance = square.map((row, i) => row.map((value, j) => value / scale ** (i + j)));
  const curve = { origin, level, slope, bend };
  const residuals = places.map(({ at, value }) => value - valueAt(curve, at));
  return { ...curve, points: places.length, covariance, ...describe(residuals, size) };
}

function describe(residuals: readonly number[], parameters: number): { noise: number; memory: number } {
  const total = residuals.reduce((sum, value) => sum + value * value, 0);
  const shared = residuals.slice(1).reduce((sum, value, i) => sum + value * residuals[i]!, 0);
  return {
    noise: Math.sqrt(total / Math.max(1, residuals.length - parameters)),
    memory: total > 0 ? Math.max(0, shared / total) : 0,
  };
}

/** Variance of the curve at an instant, for residuals of variance 1. */
export function varianceAt({ origin, covariance }: FittedCurve, at: number): number {
  const row = covariance.map((_, i) => (at - origin) ** i);
  return row.reduce((sum, a, i) => sum + row.reduce((part, b, j) => part + a * b * covariance[i]![j]!, 0), 0);
}

/** Inverse of a small symmetric matrix, by elimination. */
function invert(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < size; i++) {
    const pivot = rows[i]![i]!;
    if (!(Math.abs(pivot) > 1e-12)) return undefined;
    rows[i] = rows[i]!.map((value) => value / pivot);
    for (let k = 0; k < size; k++) {
      const factor = rows[k]![i]!;
      if (k !== i) rows[k] = rows[k]!.map((value, j) => value - factor * rows[i]![j]!);
    }
  }
  return rows.map((row) => row.slice(size));
}
