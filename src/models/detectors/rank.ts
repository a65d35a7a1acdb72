// How rarely a series has looked so odd before: ranks among everything seen so far, kept as a histogram; pure.
import { Type } from "@sinclair/typebox";
import type { Stored } from "../stored-schema.ts";

/** Decades per bin up to `FINE_UNTIL`; beyond, bins grow by a constant ratio. */
const FINE_STEP = 0.04;
const FINE_UNTIL = 4;
const FINE_BINS = FINE_UNTIL / FINE_STEP;
const COARSE_RATIO = Math.log(1.01);
/** Anything beyond is equally odd: some 10^300 decades. */
const BINS = 1200;
/** Decades of rank per decade of the statistic beyond the oddest point seen: real tails are heavier than fitted ones. */
const EXTRAPOLATION_SLOPE = 0.5;

/** Counts that are no longer whole are whole multiples of one part in so many. */
const COUNT_RESOLUTION = 1024;

/** Histogram of the surprises seen, in decades under the tail of the training; sparse, bins ascending. */
export const RankCountsSchema = Type.Array(
  Type.Tuple([Type.Integer({ minimum: 0, maximum: BINS - 1 }), Type.Number({ minimum: 0 })]),
  { maxItems: BINS },
);
/** Pairs of a bin and its count. */
export type RankCounts = Stored<typeof RankCountsSchema>;

/** The bin of a surprise (decades, 0 or more). */
export function binOf(surprise: number): number {
  if (!(surprise > 0)) return 0;
  if (surprise < FINE_UNTIL) return Math.floor(surprise / FINE_STEP);
  return Math.min(BINS - 1, FINE_BINS + Math.floor(Math.log(surprise / FINE_UNTIL) / COARSE_RATIO));
}

/** Where a bin begins, in decades. */
export function startOfBin(bin: number): number {
  return bin < FINE_BINS ? bin * FINE_STEP : FINE_UNTIL * Math.exp((bin - FINE_BINS) * COARSE_RATIO);
}

/**
 * Ranks points among those before them. The first points of a long burst are odd, the later ones less and less: the
 * series does look like that. QUALITY of detection rests on it more than on any single detector.
 */
export class CausalRank {
  readonly #counts = new Float64Array(BINS);
  #total = 0;
  #top = 0;

  constructor(counts: RankCounts) {
    for (const [bin, count] of counts) this.#add(bin, count);
  }

  /** Takes a point's surprise into account from now on. */
  add(surprise: number): void {
    this.#add(binOf(surprise), 1);
  }

  /** Takes many points into account from now on. */
  addAll(counts: RankCounts): void {
    for (const [bin, count] of counts) this.#add(bin, count);
  }

  /**
   * Decades of rarity: -log10((k + 1) / (n + 1)) with k of n points as odd; continued beyond the oddest one.
   * @param aside counts that are to be taken into account this once
   */
  rarityOf(surprise: number, aside: RankCounts = []): number {
    const bin = binOf(surprise);
    let [odder, total, top] = [0, this.#total, this.#top];
    for (let i = bin; i <= this.#top; i++) odder += this.#counts[i]!;
    for (const [other, count] of aside) {
      total += count;
      top = Math.max(top, other);
      if (other >= bin) odder += count;
    }
    const rarity = Math.log10((total + 1) / (odder + 1));
    return odder > 0 ? rarity : rarity + EXTRAPOLATION_SLOPE * Math.max(0, surprise - startOfBin(top));
  }

  /** Takes what is known by now for no more than so many points say. */
  discount(points: number): void {
    if (this.#total <= points) return;
    const share = points / this.#total;
    // Binary fractions add up exactly: it must not matter how often, and in what order, counts are kept and added.
    for (let bin = 0; bin <= this.#top; bin++)
      this.#counts[bin] = Math.round(this.#counts[bin]! * share * COUNT_RESOLUTION) / COUNT_RESOLUTION;
    this.#total = this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** As it can be kept. */
  toCounts(): RankCounts {
    const counts: [number, number][] = [];
    for (let bin = 0; bin <= this.#top; bin++)
      if (this.#counts[bin]! > 0) counts.push([bin, this.#counts[bin]!]);
    return counts;
  }

  #add(bin: number, count: number): void {
    this.#counts[bin]! += count;
    this.#total += count;
    if (count > 0) this.#top = Math.max(this.#top, bin);
  }
}

/** Counts of a sample of surprises. */
export function countRanks(surprises: Iterable<number>): RankCounts {
  const rank = new CausalRank([]);
  for (const surprise of surprises) rank.add(surprise);
  return rank.toCounts();
}
