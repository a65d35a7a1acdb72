// Power spectrum and autocorrelation of a column with gaps, by Fourier transform; pure.
export interface Spectrum {
  /** Power at `k` cycles over `length` points; index = k, from 0 to length / 2. */
  readonly power: Float64Array;
  /** Length of the transform: a power of two, the column padded with zeros. */
  readonly length: number;
  /** Autocorrelation over the present pairs; index = lag, 0 to n - 1. */
  readonly correlation: Float64Array;
}

/** Least number of pairs of a lag, as a share of the column; with fewer the correlation is 0. */
const MIN_PAIRS_SHARE = 0.1;

/**
 * Analyses a column by the Wiener-Khinchin theorem: the transform of the power is the autocorrelation.
 * @param column with mean 0; NaN = missing
 */
export function analyse(column: Float64Array): Spectrum {
  const length = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * column.length)));
  const values = new Float64Array(length);
  for (let i = 0; i < column.length; i++) if (Number.isFinite(column[i]!)) values[i] = column[i]!;
  const power = powerOf(values);
  const products = correlate(power);
  const pairs = countPairs(column, length);
  const variance = products[0]! / Math.max(1, pairs[0]!);
  const least = Math.max(1, MIN_PAIRS_SHARE * column.length);
  const correlation = Float64Array.from(column, (_, lag) => {
    const count = pairs[lag]!;
    return variance > 0 && count >= least ? products[lag]! / count / variance : 0;
  });
  return { power: power.subarray(0, length / 2 + 1), length, correlation };
}

/** Number of pairs of present values by lag. */
function countPairs(column: Float64Array, length: number): Float64Array {
  if (column.every(Number.isFinite)) return column.map((_, lag) => column.length - lag);
  const present = new Float64Array(length);
  for (let i = 0; i < column.length; i++) present[i] = Number(Number.isFinite(column[i]!));
  return correlate(powerOf(present)).map(Math.round);
}

function powerOf(values: Float64Array): Float64Array {
  const [re, im] = [values.slice(), new Float64Array(values.length)];
  transform(re, im);
  return re.map((value, i) => value * value + im[i]! * im[i]!);
}

function correlate(power: Float64Array): Float64Array {
  const [re, im] = [power.slice(), new Float64Array(power.length)];
  transform(re, im);
  return re.map((value) => value / power.length);
}

/** Fast Fourier transform in place (Cooley and Tukey 1965). @param re length a power of two */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  reverseBits(re, im);
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const angle = (-2 * Math.PI * k) / size;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let i = k; i < n; i += size) {
        const j = i + half;
        const x = re[j]! * cos - im[j]! * sin;
        const y = re[j]! * sin + im[j]! * cos;
        re[j] = re[i]! - x;
        im[j] = im[i]! - y;
        re[i]! += x;
        im[i]! += y;
      }
    }
  }
}

function reverseBits(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j]!, re[i]!];
    [im[i], im[j]] = [im[j]!, im[i]!];
  }
}
