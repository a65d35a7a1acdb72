// Quantiles of histograms of an interval; of cumulative ones the point before is subtracted, which is kept in memory.
import type { DataPoint, ExponentialBuckets } from "./metric.ts";

/** Count of values in (lower, upper]. */
interface Bin {
  /** Upper bound of its bucket, which identifies it: `Infinity` for the last one of a histogram. */
  readonly edge: number;
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

interface Seen {
  readonly startAt: number;
  readonly at: number;
  readonly bins: readonly Bin[];
  /** Of the interval that ends `at`. */
  readonly own: readonly Bin[] | undefined;
}

/** Series whose last point is kept. */
const MAX_SERIES = 20_000;

export class IntervalHistograms {
  /** The one that was used longest ago first. */
  readonly #seen = new Map<string, Seen>();

  /**
   * Bins of the interval that ends with a cumulative point.
   * @param key of the series
   * @returns undefined for the first point of a series, and where the buckets have changed
   */
  advance(key: string, point: DataPoint): readonly Bin[] | undefined {
    const before = this.#seen.get(key);
    const { startAt, at } = point;
    // A push that is repeated.
    if (before && at <= before.at) return at === before.at ? before.own : undefined;
    // Its extremes are of its whole life.
    const { min: _, max: __, ...counted } = point;
    const bins = binsOf(counted);
    const own = before && subtract(bins, startAt > before.startAt ? [] : before.bins);
    this.#seen.delete(key);
    this.#seen.set(key, { startAt, at, bins, own });
    if (this.#seen.size > MAX_SERIES) this.#seen.delete(this.#seen.keys().next().value!);
    return own;
  }
}

/** Bins of a point, ascending; none where its counts do not match its bounds. */
export function binsOf(point: DataPoint): readonly Bin[] {
  return point.positive || point.negative || point.zeroCount > 0
    ? exponentialBins(point)
    : explicitBins(point);
}

/** The first and the last bin are as wide as the values are known to reach. */
function explicitBins({ bounds, counts, min, max }: DataPoint): Bin[] {
  if (counts.length !== bounds.length + 1 || bounds.length === 0) return [];
  const [first, last] = [bounds[0]!, bounds.at(-1)!];
  return counts.map((count, i) => ({
    edge: bounds[i] ?? Infinity,
    lower: i === 0 ? (min ?? Math.min(0, first)) : bounds[i - 1]!,
    upper: i === bounds.length ? (max ?? last) : bounds[i]!,
    count,
  }));
}

/** Bucket i of scale s holds (b^i, b^(i+1)] with b = 2^(2^-s). */
function exponentialBins({ scale, zeroCount, positive, negative }: DataPoint): Bin[] {
  const boundOf = (index: number) => 2 ** (index * 2 ** -scale);
  const side = ({ offset, counts }: ExponentialBuckets) =>
    counts.map((count, i) => ({ lower: boundOf(offset + i), upper: boundOf(offset + i + 1), count }));
  const below = (negative ? side(negative) : [])
    .map(({ lower, upper, count }) => ({ lower: -upper, upper: -lower, count }))
    .reverse();
  const zero = { lower: 0, upper: 0, count: zeroCount };
  const above = positive ? side(positive) : [];
  return [...below, zero, ...above].map((bin) => ({ edge: bin.upper, ...bin }));
}

/** @returns undefined where a bin is missing, or has fewer values than before */
function subtract(bins: readonly Bin[], before: readonly Bin[]): readonly Bin[] | undefined {
  const earlier = new Map(before.map(({ edge, count }) => [edge, count]));
  const own: Bin[] = [];
  for (const bin of bins) {
    const count = bin.count - (earlier.get(bin.edge) ?? 0);
    if (count < 0) return undefined;
    earlier.delete(bin.edge);
    own.push({ ...bin, count });
  }
  return [...earlier.values()].some((count) => count > 0) ? undefined : own;
}

/** Quantile by linear interpolation within its bin; undefined without a value. @param share from 0 to 1 */
export function quantileOf(bins: readonly Bin[], share: number): number | undefined {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  if (!(total > 0)) return undefined;
  const rank = share * total;
  let below = 0;
  for (const { lower, upper, count } of bins) {
    if (count > 0 && below + count >= rank) return lower + (upper - lower) * ((rank - below) / count);
    below += count;
  }
  return bins.findLast(({ count }) => count > 0)!.upper;
}
