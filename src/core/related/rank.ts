// Probable causes: the series that moved together, ranked by who moved first, how strongly, and how much of its group.
import { type Link, type LinkContext, linkMovers, type Mover, ratesOf } from "./chance.ts";
import type { Population } from "./tags.ts";

/**
 * Evidence from which a series belongs to others, decades: by chance, one in ten moves as much at such a time. Of a single
 * one that nothing confirms more is asked for.
 */
const LEAST_EVIDENCE = 1;
const LEAST_ALONE = 1.5;
/** Evidence of one series counts at most so much where the largest group is looked for, decades. */
const MOST_EVIDENCE = 3;
/** Share of all series whose onsets lie together from which they moved for a common reason, and their least number. */
const COMMON_SHARE = 0.5;
const FEWEST_COMMON = 6;
/** What stands out of a common movement: decades above its median. */
const ABOVE_COMMON = 2;
/** Intervals by which an onset is surely before another. */
const BLUR = 1;

/** Weights of the ranking, in natural logarithms of odds. */
const weights = { precedence: 3, decade: 0.15, breadth: 3, always: 1 } as const;
/** Peaks beyond it are equal, decades. */
const MOST_DECADES = 12;
/** Share of earlier occasions from which two series always move together, and their least number. */
const ALWAYS = { share: 0.8, of: 4 } as const;

export interface Ranked<M extends Mover> {
  readonly mover: M;
  /** To the series of the anomaly, or to the one it is found by. */
  readonly link: Link;
  /** 0..1: that it is the cause, among those found. */
  readonly confidence: number;
  /** Share of the others that moved later, less that of those that moved earlier: -1..1. */
  readonly precedence: number;
}

/** Most series moved at one time. */
export interface CommonMove {
  /** Of all series, 0..1. */
  readonly share: number;
  /** Median of the onsets, ms since the epoch. */
  readonly at: number;
}

export interface Ranking<M extends Mover> {
  /** The most probable cause first. */
  readonly ranked: readonly Ranked<M>[];
  /** Confidence that the anomaly itself came first; absent without one. */
  readonly ownConfidence?: number;
  readonly common?: CommonMove;
}

interface RankInput<M extends Mover> {
  /** Series of the anomaly; absent: what moved together most is looked for. */
  readonly target?: Mover | undefined;
  /** The others that moved. */
  readonly movers: readonly M[];
  readonly population: Population;
  /** Span in which they were looked for. */
  readonly windowMs: number;
}

/** Ranks what moved with the anomaly; of nothing that is related the list is empty. */
export function rankMovers<M extends Mover>({
  target,
  movers,
  population,
  windowMs,
}: RankInput<M>): Ranking<M> {
  const common = findCommon([...movers, ...(target ? [target] : [])], population);
  const standing = common ? movers.filter((mover) => standsOut(mover, common)) : movers;
  const everyone = target ? [target, ...standing] : standing;
  const context = { movers: everyone, population, rates: ratesOf(everyone), windowMs };
  const found = target ? collectLinked(target, standing, context) : findLargest(standing, context);
  const all = target ? [target, ...found.keys()] : [...found.keys()];
  const shares = softmax(all.map((mover) => logitOf(mover, all, population)));
  const ranked = [...found].map(([mover, link], i): Ranked<M> => {
    const confidence = shares[all.length - found.size + i]! / (1 + link.chance);
    return { mover, link, confidence, precedence: precedenceOf(mover, all) };
  });
  return {
    ranked: ranked.sort((a, b) => b.confidence - a.confidence),
    ...(target && { ownConfidence: shares[0]! }),
    ...(common && { common: { share: common.share, at: common.at } }),
  };
}

type Linked<M extends Mover> = ReadonlyMap<M, Link>;

/** Those related to a series, or to one that is: each by its strongest link. */
function collectLinked<M extends Mover>(seed: Mover, others: Iterable<M>, context: LinkContext): Linked<M> {
  const found = new Map<M, Link>();
  const waiting = new Set(others);
  for (let fresh: readonly Mover[] = [seed]; fresh.length > 0; ) {
    const next: M[] = [];
    for (const mover of waiting) {
      const best = strongest(fresh.map((from) => linkMovers(from, mover, context)));
      if (best.evidence < LEAST_EVIDENCE) continue;
      found.set(mover, best);
      waiting.delete(mover);
      next.push(mover);
    }
    fresh = next;
  }
  const [only] = found.values();
  return found.size === 1 && only!.evidence < LEAST_ALONE ? new Map() : found;
}

/** The series to which the most evidence is related, with those; its own link is that to the closest of them. */
function findLargest<M extends Mover>(movers: readonly M[], context: LinkContext): Linked<M> {
  const left = new Set(movers);
  let largest: Linked<M> = new Map();
  let most = 0;
  for (const seed of movers) {
    if (!left.delete(seed)) continue;
    const others = movers.filter((mover) => mover !== seed);
    const found = collectLinked(seed, others, context);
    for (const mover of found.keys()) left.delete(mover);
    const links = [...found.values()];
    const sum = links.reduce((total, { evidence }) => total + Math.min(MOST_EVIDENCE, evidence), 0);
    if (sum <= most) continue;
    most = sum;
    largest = new Map([[seed, strongest(links)], ...found]);
  }
  return largest;
}

function strongest(links: readonly Link[]): Link {
  return links.reduce((a, b) => (b.evidence > a.evidence ? b : a));
}

function logitOf(mover: Mover, all: readonly Mover[], population: Population): number {
  const { together, peak } = mover;
  const isAlways =
    together !== undefined && together.of >= ALWAYS.of && together.times >= ALWAYS.share * together.of;
  return (
    weights.precedence * precedenceOf(mover, all) +
    weights.decade * Math.min(MOST_DECADES, peak) +
    weights.breadth * breadthOf(mover, all, population) -
    (isAlways ? weights.always : 0)
  );
}

/** Share of the others that moved later, less that of those that moved earlier: -1..1. */
function precedenceOf(mover: Mover, all: readonly Mover[]): number {
  let sum = 0;
  for (const { onsetAt, intervalMs } of all)
    sum += Math.tanh((onsetAt - mover.onsetAt) / (BLUR * Math.max(1, intervalMs, mover.intervalMs)));
  return all.length > 1 ? sum / (all.length - 1) : 0;
}

/** Share of the series of its own kind that moved: the greatest over its tags, 0..1. */
function breadthOf(mover: Mover, all: readonly Mover[], population: Population): number {
  let greatest = 0;
  for (const [tag, value] of Object.entries(mover.tags)) {
    const count = population.countTag(tag, value);
    if (count < 2 || count > population.total / 2) continue;
    const moved = all.filter(({ tags }) => tags[tag] === value).length;
    greatest = Math.max(greatest, (moved - 0.5) / count);
  }
  return Math.min(1, greatest);
}

interface Common extends CommonMove {
  readonly nearMs: number;
  readonly peak: number;
}

/** Most series with onsets close to their median. */
function findCommon(movers: readonly Mover[], { total }: Population): Common | undefined {
  if (movers.length < FEWEST_COMMON || movers.length < COMMON_SHARE * total) return undefined;
  const at = medianOf(movers.map(({ onsetAt }) => onsetAt));
  const nearMs = 2 * medianOf(movers.map(({ intervalMs }) => intervalMs));
  const near = movers.filter(({ onsetAt }) => Math.abs(onsetAt - at) <= nearMs);
  const share = near.length / Math.max(1, total);
  if (share < COMMON_SHARE) return undefined;
  return { share: Math.min(1, share), at, nearMs, peak: medianOf(near.map(({ peak }) => peak)) };
}

/** Whether a series moved before the others did, or far more. */
function standsOut({ onsetAt, peak }: Mover, common: Common): boolean {
  return onsetAt < common.at - common.nearMs || peak >= common.peak + ABOVE_COMMON;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function softmax(logits: readonly number[]): number[] {
  const most = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
