// Bucket sort of points by interval, and by time where metrics need it; its arrays are reused. No I/O.
import { floorTo, type Range } from "../core/series/grid.ts";
import { type AlignedSeries, SeriesAligner } from "./aligned-series.ts";
import { type BlockSlice, sizeOf } from "./cursors.ts";
import { divideRange, type SubBuckets, sortSubBucket, subBucketAt, type TimedValues } from "./sub-buckets.ts";

/** Sub-buckets where points are sorted by time. */
const SUB_BUCKETS_PER_POINT = 1;
/** Points between two calls of the yielder. */
const POINTS_PER_YIELD = 16_384;
/** Spare capacity of arrays that grow. */
const GROWTH = 1.25;

/** Numbers of consecutive intervals, as views that the next sort overwrites. */
export interface SortedPoints {
  /** ms since the epoch; empty unless sorted by time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Number of intervals. */
  readonly length: number;
  /** End (exclusive) of the points of an interval; 0 for interval -1. */
  endOf(interval: number): number;
}

interface SortOptions {
  readonly intervalMs: number;
  /** Sorts by time, stably; else the order within an interval is arbitrary. */
  readonly byTime: boolean;
  readonly yieldNow: () => Promise<void> | undefined;
}

/** Positions of points in the sorted arrays. */
interface Plan {
  /** Start of the first sub-bucket, ms since the epoch. */
  readonly startAt: number;
  readonly subBuckets: SubBuckets;
  /** Sub-bucket of each instant of each group of aligned series. */
  readonly subBucketOf: Int32Array;
  /** First position of each sub-bucket; the last element is the end of the last one. */
  readonly begins: Int32Array;
  /** Next free position of each sub-bucket. */
  readonly next: Int32Array;
}

/** A block slice and its place in a group of aligned series. */
interface SourceSlice {
  readonly slice: BlockSlice;
  /** Index of its first instant. */
  readonly first: number;
  /** Index of its series in the group, and their number. */
  readonly series: number;
  readonly width: number;
}

/**
 * Sorts the points of some intervals at a time: counts the points of each sub-bucket, scatters points to their
 * sub-buckets, then sorts each sub-bucket. Memory: 8 bytes a point, 16 by time; 4 an instant; 8 a sub-bucket.
 */
export class IntervalSorter {
  #subBucketOf = new Int32Array(0);
  #sorted: TimedValues = { times: new Float64Array(0), values: new Float64Array(0) };

  constructor(private readonly options: SortOptions) {}

  /** @param series points within the range, each series in order of time */
  async sort(range: Range, series: readonly (readonly BlockSlice[])[]): Promise<SortedPoints> {
    const { intervalMs, byTime } = this.options;
    const startAt = floorTo(range.fromAt, intervalMs);
    const points = series.reduce((sum, slices) => sum + sizeOf(slices), 0);
    const aligner = new SeriesAligner();
    await this.#forEach(series, sizeOf, (slices) => aligner.add(slices));
    // Interleaving sorts the points of a single group of aligned series.
    const isMixed = byTime && aligner.groups.length > 1;
    const wanted = isMixed ? points * SUB_BUCKETS_PER_POINT : 0;
    const subBuckets = divideRange({ ...range, fromAt: startAt }, intervalMs, wanted);
    const slices = aligner.groups.flatMap(listSlices);
    const plan = await this.#count(slices, { startAt, subBuckets, instants: aligner.instants });
    this.#reserve(points);
    const place = byTime ? (isMixed ? scatterPoints : interleavePoints) : scatterValues;
    await this.#forEach(slices, lengthOf, (slice) => place(slice, this.#sorted, plan));
    if (isMixed) await this.#sortSubBuckets(plan);
    const endOf = (interval: number) => plan.begins[(interval + 1) * subBuckets.perInterval]!;
    return { ...this.#sorted, length: subBuckets.count / subBuckets.perInterval, endOf };
  }

  #reserve(points: number): void {
    if (points <= this.#sorted.values.length) return;
    const length = Math.ceil(points * GROWTH);
    const times = new Float64Array(this.options.byTime ? length : 0);
    this.#sorted = { times, values: new Float64Array(length) };
  }

  /** Counts the points of each sub-bucket. */
  async #count(
    slices: readonly SourceSlice[],
    { startAt, subBuckets, instants }: Pick<Plan, "startAt" | "subBuckets"> & { readonly instants: number },
  ): Promise<Plan> {
    if (instants > this.#subBucketOf.length) this.#subBucketOf = new Int32Array(Math.ceil(instants * GROWTH));
    const begins = new Int32Array(subBuckets.count + 1);
    const plan = { startAt, subBuckets, subBucketOf: this.#subBucketOf, begins };
    // The first series of a group stands for all: they have the same instants.
    const firsts = slices.filter(({ series }) => series === 0);
    await this.#forEach(firsts, lengthOf, (slice) => countInstants(slice, plan));
    for (let i = 1; i <= subBuckets.count; i++) begins[i]! += begins[i - 1]!;
    return { ...plan, next: begins.slice(0, -1) };
  }

  /** Sub-buckets are in order; one that is not sorted within shows by its first point out of order. */
  async #sortSubBuckets({ startAt, subBuckets, begins }: Plan): Promise<void> {
    const { times } = this.#sorted;
    const count = begins[subBuckets.count]!;
    for (let i = 1, yieldAt = POINTS_PER_YIELD; i < count; i++) {
      if (i >= yieldAt) {
        yieldAt = i + POINTS_PER_YIELD;
        await this.options.yieldNow();
      }
      if (times[i - 1]! <= times[i]!) continue;
      const index = subBucketAt(times[i]! - startAt, subBuckets);
      sortSubBucket(this.#sorted, begins[index]!, begins[index + 1]!);
      i = begins[index + 1]! - 1;
    }
  }

  /** Calls `work` for each item; yields to the event loop every `POINTS_PER_YIELD` points. */
  async #forEach<T>(
    items: readonly T[],
    pointsOf: (item: T) => number,
    work: (item: T) => void,
  ): Promise<void> {
    let points = 0;
    for (const item of items) {
      work(item);
      points += pointsOf(item);
      if (points < POINTS_PER_YIELD) continue;
      points = 0;
      await this.options.yieldNow();
    }
  }
}

function listSlices({ series: group, first: groupFirst }: AlignedSeries): SourceSlice[] {
  return group.flatMap((slices, series) => {
    let first = groupFirst;
    return slices.map((slice) => {
      const source = { slice, first, series, width: group.length };
      first += slice.to - slice.from;
      return source;
    });
  });
}

function lengthOf({ slice: { from, to } }: SourceSlice): number {
  return to - from;
}

function countInstants(
  { slice, first, width }: SourceSlice,
  { startAt, subBuckets, subBucketOf, begins }: Omit<Plan, "next">,
): void {
  const { from, to, block } = slice;
  const { offsets } = block;
  const start = block.startAt - startAt;
  for (let i = from, instant = first; i < to; i++, instant++) {
    const index = subBucketAt(start + offsets[i]!, subBuckets);
    subBucketOf[instant] = index;
    begins[index + 1]! += width;
  }
}

/** Copies values to their sub-buckets; those of a series stay in order. */
function scatterValues({ slice, first }: SourceSlice, sorted: TimedValues, plan: Plan): void {
  const { subBucketOf, next } = plan;
  const { from, to, block } = slice;
  const { values } = block;
  const { values: sortedValues } = sorted;
  for (let i = from, instant = first; i < to; i++, instant++)
    sortedValues[next[subBucketOf[instant]!]!++] = values[i]!;
}

/** Copies points to their sub-buckets; those of a series stay in order. */
function scatterPoints({ slice, first }: SourceSlice, sorted: TimedValues, plan: Plan): void {
  const { subBucketOf, next } = plan;
  const { from, to, block } = slice;
  const { startAt, offsets, values } = block;
  const { times: sortedTimes, values: sortedValues } = sorted;
  for (let i = from, instant = first; i < to; i++, instant++) {
    const position = next[subBucketOf[instant]!]!++;
    sortedTimes[position] = startAt + offsets[i]!;
    sortedValues[position] = values[i]!;
  }
}

/** Writes the points of aligned series instant by instant, which needs no sub-buckets. */
function interleavePoints({ slice, first, series, width }: SourceSlice, sorted: TimedValues): void {
  const { from, to, block } = slice;
  const { startAt, offsets, values } = block;
  const { times: sortedTimes, values: sortedValues } = sorted;
  for (let i = from, position = first * width + series; i < to; i++, position += width) {
    sortedTimes[position] = startAt + offsets[i]!;
    sortedValues[position] = values[i]!;
  }
}
