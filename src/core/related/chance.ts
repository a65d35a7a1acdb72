// Chance of a relation: expected number of unrelated series that move as much, and as near in time.
import { rarityOfRarest } from "./onset.ts";
import { type Population, type SharedTags, shareTags, type Tags } from "./tags.ts";

/** A series that moved: its strongest deviation in a window. */
export interface Mover {
  readonly tags: Tags;
  /** Change point of its rarities, ms since the epoch. */
  readonly onsetAt: number;
  readonly intervalMs: number;
  /** The greatest rarity, decades. */
  readonly peak: number;
  /** Features of which the rarest counts in each interval; absent: one. */
  readonly features?: number;
  /** Peaks of its deviations in an earlier span, decades. */
  readonly past: { readonly peaks: readonly number[]; readonly spanMs: number };
  /** Of the earlier deviations of the anomaly's series, those beside which this one deviated too. */
  readonly together?: { readonly times: number; readonly of: number };
}

/** Deviations that a series is credited with before it is looked at. */
const PRIOR = 0.5;
/** Rarity that is believed without a past, decades: one interval in 10 000. */
const MOST_TOLD = 4;
/** An onset is known to this number of intervals. */
const RESOLUTION = 2;
/** What relates two series is looked for in several groups of tags. */
const GROUPS = 3;
/** What is as strong: decades that it may be weaker. */
const AS_STRONG = 0.5;
/** Peaks are of like strength up to this multiple. */
const ALIKE = 1.5;
/** Intervals in which what one series does to another shows by a factor of e less often. */
const USUAL_DELAY = 10;
/** Earlier deviations of the one beside which those of the other are counted, and the most that they say, decades. */
const FEWEST_EARLIER = 3;
const MOST_TOGETHER = 2;

/**
 * How often deviations as strong as those of each mover begin, per ms: by its own past; where that is short by that of all
 * movers, and where that is short, too, by what its rarity says.
 */
export function ratesOf(movers: readonly Mover[]): ReadonlyMap<Mover, number> {
  const peaks = movers.flatMap(({ past }) => past.peaks);
  const spanMs = movers.reduce((sum, { past }) => sum + past.spanMs, 1);
  return new Map(
    movers.map((mover) => {
      const least = mover.peak - AS_STRONG;
      const rarity = rarityOfRarest(mover.peak, mover.features ?? 1);
      const told = PRIOR * 10 ** Math.min(rarity, MOST_TOLD) * mover.intervalMs;
      const countStrong = (all: readonly number[]) => all.filter((peak) => peak >= least).length;
      const pooled = (countStrong(peaks) + PRIOR) / (spanMs + told);
      const own = countStrong(mover.past.peaks);
      return [mover, (own + PRIOR) / (mover.past.spanMs + PRIOR / pooled)];
    }),
  );
}

export interface Link {
  /** Share of those that move as much and as near in time, related as closely, that do so by chance: 0 and up. */
  readonly chance: number;
  /** -log10 of it, raised by what was seen together before; decades. */
  readonly evidence: number;
  readonly shared: SharedTags;
}

export interface LinkContext {
  /** All that moved in the window. */
  readonly movers: readonly Mover[];
  readonly population: Population;
  /** See `ratesOf`. */
  readonly rates: ReadonlyMap<Mover, number>;
  /** Span in which movers were looked for. */
  readonly windowMs: number;
}

/**
 * How surely `mover` belongs to `from`: by the number of series that would move by chance over the number that did
 * (the false discovery rate of Y. Benjamini and Y. Hochberg, J. R. Stat. Soc. B 57, 1995), among all series and among
 * those that share a tag with both.
 */
export function linkMovers(from: Mover, mover: Mover, context: LinkContext): Link {
  const { population, rates, windowMs, movers } = context;
  const shared = shareTags(from.tags, mover.tags);
  const rate = rates.get(mover)!;
  const intervalMs = Math.max(from.intervalMs, mover.intervalMs);
  const delayMs = Math.abs(from.onsetAt - mover.onsetAt);
  const nearMs = delayMs + RESOLUTION * intervalMs;
  const byChance = rate * Math.min(2 * nearMs, windowMs) * Math.exp(delayMs / (USUAL_DELAY * intervalMs));
  // Of like strength: far stronger ones, which chance does not explain, speak for themselves alone.
  const near = movers.filter(
    ({ onsetAt, peak }) =>
      Math.abs(onsetAt - from.onsetAt) <= nearMs &&
      peak >= mover.peak - AS_STRONG &&
      peak <= ALIKE * mover.peak,
  );
  let chance = (population.total * byChance) / Math.max(1, near.length);
  for (const [tag, value] of Object.entries(shared.equal)) {
    const found = near.filter(({ tags }) => tags[tag] === value).length;
    chance = Math.min(chance, (GROUPS * population.countTag(tag, value) * byChance) / Math.max(1, found));
  }
  for (const value of Object.values(shared.adjacent))
    chance = Math.min(chance, GROUPS * population.countValue(value) * byChance);
  return { chance, shared, evidence: -Math.log10(chance) + evidenceOfPast(mover, rate * windowMs) };
}

/** @param byChance share of the earlier deviations beside which it would deviate though nothing connects them */
function evidenceOfPast({ together }: Mover, byChance: number): number {
  if (!together || together.of < FEWEST_EARLIER) return 0;
  const share = (together.times + PRIOR * byChance) / (together.of + PRIOR);
  const decades = Math.log10(share / Math.min(0.5, Math.max(0.01, byChance)));
  return Math.max(-0.5, Math.min(MOST_TOGETHER, decades));
}
