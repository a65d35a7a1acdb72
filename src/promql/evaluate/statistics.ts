// Statistics over samples of a window or of several series, in the order of operations of Prometheus 2.

type Numbers = Float64Array;

/** Of the values `from` (inclusive) to `to` (exclusive). */
export function sumOf(values: Numbers, from: number, to: number): number {
  const sum = new KahanSum();
  for (let i = from; i < to; i++) sum.add(values[i]!);
  return Number.isFinite(sum.sum) || Number.isNaN(sum.sum) ? sum.total : sum.sum;
}

/** A running mean: the sum of large values might overflow. */
export function meanOf(values: Numbers, from: number, to: number): number {
  const mean = new KahanSum();
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    const count = i - from + 1;
    if (isInfinite(mean.sum) && staysInfinite(mean.sum, value)) continue;
    mean.add(value / count - mean.sum / count);
  }
  return isInfinite(mean.sum) ? mean.sum : mean.total;
}

/** Whether a mean that is infinite remains so: NaN and the other infinity change it. */
export function staysInfinite(mean: number, value: number): boolean {
  return isInfinite(value) ? mean > 0 === value > 0 : !Number.isNaN(value);
}

export function isInfinite(value: number): boolean {
  return value === Infinity || value === -Infinity;
}

/** Population variance, by Welford's update. */
export function varianceOf(values: Numbers): number {
  const [mean, squares] = [new KahanSum(), new KahanSum()];
  let count = 0;
  for (const value of values) {
    count++;
    const delta = value - mean.total;
    mean.add(delta / count);
    squares.add(delta * (value - mean.total));
  }
  return squares.total / count;
}

/** NaN only if all are. */
export function maxOf(values: Numbers, from: number, to: number): number {
  let max = values[from]!;
  for (let i = from; i < to; i++) if (values[i]! > max || Number.isNaN(max)) max = values[i]!;
  return max;
}

/** NaN only if all are. */
export function minOf(values: Numbers, from: number, to: number): number {
  let min = values[from]!;
  for (let i = from; i < to; i++) if (values[i]! < min || Number.isNaN(min)) min = values[i]!;
  return min;
}

/** Linear interpolation between ranks, NaN ranked below all; -Inf and +Inf for a q outside of 0..1. */
export function quantileOf(q: number, values: Numbers): number {
  if (values.length === 0 || Number.isNaN(q)) return Number.NaN;
  if (q < 0) return -Infinity;
  if (q > 1) return Infinity;
  const sorted = sortNanFirst(values);
  const rank = q * (sorted.length - 1);
  const lower = Math.max(0, Math.floor(rank));
  const upper = Math.min(sorted.length - 1, lower + 1);
  const weight = rank - Math.floor(rank);
  return sorted[lower]! * (1 - weight) + sorted[upper]! * weight;
}

/** Typed arrays sort NaN last. */
function sortNanFirst(values: Numbers): Numbers {
  const sorted = values.toSorted();
  const numbers = sorted.findLastIndex((value) => !Number.isNaN(value)) + 1;
  if (numbers === sorted.length) return sorted;
  const rotated = new Float64Array(sorted.length).fill(Number.NaN);
  rotated.set(sorted.subarray(0, numbers), sorted.length - numbers);
  return rotated;
}

export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** Least squares. @param interceptAt instant of the intercept, ms since the epoch */
export function fitLine(times: Numbers, values: Numbers, interceptAt: number): Line {
  const first = values[0]!;
  if (values.every((value) => value === first)) {
    if (isInfinite(first)) return { slope: Number.NaN, intercept: Number.NaN };
    return { slope: 0, intercept: first };
  }
  const [x, y, xy, xx] = [new KahanSum(), new KahanSum(), new KahanSum(), new KahanSum()];
  for (const [i, value] of values.entries()) {
    const seconds = (times[i]! - interceptAt) / 1000;
    x.add(seconds);
    y.add(value);
    xy.add(seconds * value);
    xx.add(seconds * seconds);
  }
  const count = values.length;
  const slope = (xy.total - (x.total * y.total) / count) / (xx.total - (x.total * x.total) / count);
  return { slope, intercept: y.total / count - (slope * x.total) / count };
}

/** A sum to which the digits that each addition loses are added at the end (Neumaier, 1974). */
class KahanSum {
  sum = 0;
  lost = 0;

  add(value: number): void {
    const next = this.sum + value;
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return this.sum + this.lost;
  }
}
