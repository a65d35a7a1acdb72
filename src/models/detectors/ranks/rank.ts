// Causal ranks: rarity of a point among all points before it, from a histogram; pure.
import { Type } from "@sinclair/typebox";
import type { Stored } from "../../stored-schema.ts";
import { type DetectionRules, detectionRules } from "../rules.ts";

/** Width of a bin up to `FINE_UNTIL`, in decades; beyond, widths grow by a constant ratio. */
const FINE_STEP = 0.04;
const FINE_UNTIL = 4;
const FINE_BINS = FINE_UNTIL / FINE_STEP;
const COARSE_RATIO = Math.log(1.01);
/** Number of bins; the last one is open. */
const BINS = 1200;
/** Bins that most series need: with all of them, the evaluation of a fleet would be a burst of garbage. */
const MIN_SIZE = 128;
/** Discounted counts are multiples of 1 / `COUNT_RESOLUTION`. */
const COUNT_RESOLUTION = 1024;

/** Histogram of the surprises seen, in decades under the tail of the training; sparse, bins ascending. */
export const RankCountsSchema = Type.Array(
  Type.Tuple([Type.Integer({ minimum: 0, maximum: BINS - 1 }), Type.Number({ minimum: 0 })]),
  { maxItems: BINS },
);
/** Pairs of a bin and its count. */
export type RankCounts = Stored<typeof RankCountsSchema>;
/** Bin, count, bin, count, ..: a fleet keeps thousands of histograms, and a list of lists takes four times as much. */
export type FlatCounts = readonly number[];

/** The bin of a surprise (decades, 0 or more). */
export function binOf(surprise: number): number {
  if (!(surprise > 0)) return 0;
  if (surprise < FINE_UNTIL) return Math.floor(surprise / FINE_STEP);
  return Math.min(BINS - 1, FINE_BINS + Math.floor(Math.log(surprise / FINE_UNTIL) / COARSE_RATIO));
}

/** Lower edge of a bin, in decades. */
export function startOfBin(bin: number): number {
  return bin < FINE_BINS ? bin * FINE_STEP : FINE_UNTIL * Math.exp((bin - FINE_BINS) * COARSE_RATIO);
}

/** The histogram with one surprise more; its bins are in no order. */
export function addSurprise(counts: RankCounts, surprise: number): RankCounts {
  const bin = binOf(surprise);
  const known = counts.find(([other]) => other === bin)?.[1] ?? 0;
  return [...counts.filter(([other]) => other !== bin), [bin, known + 1]];
}

/**
 * Ranks points among those before them: the first points of a long burst are rare, the later ones less and less. The
 * quality of detection depends on it more than on any single detector.
 */
export class CausalRank {
  /** By bin, up to a size that holds all that are in use. */
  #counts = new Float64Array(MIN_SIZE);
  /** Number of points in a bin and all above it. */
  #atLeast = new Float64Array(MIN_SIZE);
  #top = 0;

  /** @param counts of a version, or of a memory, which are pairs in those of older releases */
  constructor(
    counts: RankCounts | FlatCounts,
    private readonly rules: DetectionRules = detectionRules,
  ) {
    this.addAll(isFlat(counts) ? toPairs(counts) : counts);
  }

  /** Weight of the points so far. */
  get points(): number {
    return this.#atLeast[0]!;
  }

  /** Adds the surprise of a point. */
  add(surprise: number): void {
    this.#add(binOf(surprise), 1);
  }

  /** Adds the counts of many points. */
  addAll(counts: RankCounts): void {
    for (const [bin, count] of counts) {
      this.#makeRoom(bin);
      this.#counts[bin]! += count;
      if (count > 0) this.#top = Math.max(this.#top, bin);
    }
    // From the rarest bin down, once for all: the sums are exact, whatever their order.
    let atLeast = 0;
    for (let bin = this.#top; bin >= 0; bin--) {
      atLeast += this.#counts[bin]!;
      this.#atLeast[bin] = atLeast;
    }
  }

  /**
   * Rarity in decades, -log10((k + 1) / (n + 1)) with k of n points at least as surprising; extrapolated beyond them by
   * as much as n points can show.
   * @param aside further counts, not added
   */
  rarityOf(surprise: number, aside?: RankCounts): number {
    return this.#rarityOf(surprise, aside, this.rules.maxDecadesBeyond);
  }

  /** As `rarityOf`, but extrapolated without a bound. */
  unboundedRarityOf(surprise: number, aside?: RankCounts): number {
    return this.#rarityOf(surprise, aside, Number.POSITIVE_INFINITY);
  }

  /** The greatest surprise so far, as a start of its bin, decades. */
  get top(): number {
    return startOfBin(this.#top);
  }

  /** As `unboundedRarityOf`, with points beyond a top known only by their number. */
  rarityBeyond(surprise: number, top: number): number {
    const total = this.#atLeast[0]!;
    if (surprise <= top) return this.unboundedRarityOf(surprise);
    return Math.log10(total + 1) + this.#slope(total) * (surprise - top);
  }

  #rarityOf(surprise: number, aside: RankCounts | undefined, maxDecadesBeyond: number): number {
    const bin = binOf(surprise);
    let atLeastAsRare = this.#atLeast[bin] ?? 0;
    let total = this.#atLeast[0]!;
    let top = this.#top;
    if (aside)
      for (const [other, count] of aside) {
        total += count;
        top = Math.max(top, other);
        if (other >= bin) atLeastAsRare += count;
      }
    const rarity = Math.log10((total + 1) / (atLeastAsRare + 1));
    if (atLeastAsRare > 0) return rarity;
    return rarity + Math.min(maxDecadesBeyond, this.#extrapolate(surprise, { total, top }));
  }

  /** Reduces the total count to `points`. */
  discount(points: number): void {
    const total = this.#atLeast[0]!;
    if (total <= points) return;
    const share = points / total;
    this.#atLeast.fill(0);
    const [counts, top] = [this.#counts.slice(), this.#top];
    this.#counts.fill(0);
    // Binary fractions add up exactly, so that the result does not depend on the order of additions.
    for (let bin = 0; bin <= top; bin++)
      this.#add(bin, Math.round(counts[bin]! * share * COUNT_RESOLUTION) / COUNT_RESOLUTION);
    this.#top = top;
  }

  /** Counts of a version. */
  toCounts(): RankCounts {
    return toPairs(this.toMemory());
  }

  toMemory(): FlatCounts {
    const counts: number[] = [];
    for (let bin = 0; bin <= this.#top; bin++)
      if (this.#counts[bin]! > 0) counts.push(bin, this.#counts[bin]!);
    return counts;
  }

  /** Decades beyond the rarest of `total` points. */
  #extrapolate(surprise: number, { total, top }: { total: number; top: number }): number {
    return this.#slope(total) * Math.max(0, surprise - startOfBin(top));
  }

  #slope(total: number): number {
    const { extrapolationSlope, halfSlopePoints } = this.rules;
    return (extrapolationSlope * total) / (total + halfSlopePoints);
  }

  #add(bin: number, count: number): void {
    this.#makeRoom(bin);
    this.#counts[bin]! += count;
    for (let other = 0; other <= bin; other++) this.#atLeast[other]! += count;
    if (count > 0) this.#top = Math.max(this.#top, bin);
  }

  #makeRoom(bin: number): void {
    if (bin < this.#counts.length) return;
    const size = Math.min(BINS, 2 ** Math.ceil(Math.log2(bin + 1)));
    this.#counts = enlarge(this.#counts, size);
    this.#atLeast = enlarge(this.#atLeast, size);
  }
}

function enlarge(values: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(values);
  return larger;
}

function isFlat(counts: RankCounts | FlatCounts): counts is FlatCounts {
  return typeof counts[0] === "number";
}

function toPairs(counts: FlatCounts): [number, number][] {
  return Array.from({ length: counts.length / 2 }, (_, i) => [counts[2 * i]!, counts[2 * i + 1]!]);
}

/** Histogram of a sample of surprises, decades. @param others further points without any surprise */
export function countRanks(surprises: ArrayLike<number>, others = 0): RankCounts {
  const counts = new Float64Array(BINS);
  counts[0] = others;
  for (let i = 0; i < surprises.length; i++) counts[binOf(surprises[i]!)]!++;
  const pairs: [number, number][] = [];
  for (let bin = 0; bin < BINS; bin++) if (counts[bin]! > 0) pairs.push([bin, counts[bin]!]);
  return pairs;
}
