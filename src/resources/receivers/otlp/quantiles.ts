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

/** Last point of a series: numbers alone, as there are many of them. */
interface Seen {
  readonly startAt: number;
  readonly at: number;
  /** By bin: its edge, lower, upper and count, and its count in the interval that ends `at`. */
  readonly bins: Float64Array;
  /** Whether there are counts of that interval. */
  readonly hasOwn: boolean;
}

const WIDTH = 5;
/** Series whose last point is kept, and bins of all of them: 80 MB. */
const [MAX_SERIES, MAX_KEPT_BINS] = [20_000, 2_000_000];

export class IntervalHistograms {
  /** The one that was used longest ago first. */
  readonly #seen = new Map<string, Seen>();
  #bins = 0;

  /**
   * Bins of the interval that ends with a cumulative point.
   * @param key of the series
   * @returns undefined for the first point of a series, and where the buckets have changed
   */
  advance(key: string, point: DataPoint): readonly Bin[] | undefined {
    const before = this.#seen.get(key);
    const { startAt, at } = point;
    // A push that is repeated.
    if (before && at <= before.at)
      return at === before.at && before.hasOwn ? unpack(before.bins, OWN) : undefined;
    // Its extremes are of its whole life: no value lies beyond, but open buckets are not as wide as that.
    const { min: _, max: __, ...counted } = point;
    const bins = within(binsOf(counted), extremesOf(point));
    const own = before && subtract(bins, startAt > before.startAt ? [] : unpack(before.bins, COUNT));
    this.#keep(key, { startAt, at, bins: pack(bins, own), hasOwn: own !== undefined });
    return own;
  }

  /** Bins that are kept. */
  get kept(): number {
    return this.#bins;
  }

  #keep(key: string, seen: Seen): void {
    this.#drop(key);
    this.#seen.set(key, seen);
    this.#bins += seen.bins.length / WIDTH;
    while (this.#seen.size > MAX_SERIES || this.#bins > MAX_KEPT_BINS)
      this.#drop(this.#seen.keys().next().value!);
  }

  #drop(key: string): void {
    this.#bins -= (this.#seen.get(key)?.bins.length ?? 0) / WIDTH;
    this.#seen.delete(key);
  }
}

/** Places of the counts of a packed bin. */
const [COUNT, OWN] = [3, 4];

/** @param own the same bins, with their counts in an interval */
function pack(bins: readonly Bin[], own: readonly Bin[] | undefined): Float64Array {
  const packed = new Float64Array(bins.length * WIDTH);
  for (const [i, { edge, lower, upper, count }] of bins.entries())
    packed.set([edge, lower, upper, count, own?.[i]?.count ?? 0], i * WIDTH);
  return packed;
}

function unpack(packed: Float64Array, place: number): Bin[] {
  return Array.from({ length: packed.length / WIDTH }, (_, i) => {
    const [edge, lower, upper] = packed.subarray(i * WIDTH);
    return { edge: edge!, lower: lower!, upper: upper!, count: packed[i * WIDTH + place]! };
  });
}

/** Bins of a point, ascending; none where its counts do not match its bounds. */
export function binsOf(point: DataPoint): readonly Bin[] {
  const isExponential = point.positive || point.negative || point.zeroCount > 0;
  const extremes = extremesOf(point);
  return within(isExponential ? exponentialBins(point) : explicitBins(point, extremes), extremes);
}

/** Least and greatest value, as far as they are known. */
type Extremes = Pick<DataPoint, "min" | "max">;

/** None where they contradict each other. */
function extremesOf({ min, max }: DataPoint): Extremes {
  const isPossible = (min ?? -Infinity) <= (max ?? Infinity);
  return isPossible ? { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } : {};
}

/** Bins end where the values are known to end, so that no quantile lies beyond. */
function within(bins: readonly Bin[], { min = -Infinity, max = Infinity }: Extremes): readonly Bin[] {
  if (min === -Infinity && max === Infinity) return bins;
  const clamp = (bound: number) => Math.min(max, Math.max(min, bound));
  return bins.map((bin) => ({ ...bin, lower: clamp(bin.lower), upper: clamp(bin.upper) }));
}

/** The first and the last bin are as wide as the values are known to reach. */
function explicitBins(point: DataPoint, { min, max }: Extremes): Bin[] {
  const { bounds, counts } = withoutInfinity(point);
  if (counts.length !== bounds.length + 1 || bounds.length === 0) return [];
  const [first, last] = [bounds[0]!, bounds.at(-1)!];
  return counts.map((count, i) => ({
    edge: bounds[i] ?? Infinity,
    lower: i === 0 ? (min ?? Math.min(0, first)) : bounds[i - 1]!,
    upper: i === bounds.length ? (max ?? last) : bounds[i]!,
    count,
  }));
}

/** Infinite bounds say no more than the ends: their buckets become one with the open ones. */
function withoutInfinity({ bounds, counts }: DataPoint): Pick<DataPoint, "bounds" | "counts"> {
  if (bounds.length + 1 !== counts.length) return { bounds, counts };
  const finite: number[] = [];
  const merged = [counts[0] ?? 0];
  for (const [i, bound] of bounds.entries()) {
    const count = counts[i + 1]!;
    if (!Number.isFinite(bound)) merged[merged.length - 1]! += count;
    else {
      finite.push(bound);
      merged.push(count);
    }
  }
  return { bounds: finite, counts: merged };
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
