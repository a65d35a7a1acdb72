// Tail of the mean rarities of normal points, where one false alarm is a burst of points; pure.
import { Type } from "@sinclair/typebox";
import { quantileOf } from "../stats/outliers.ts";
import { positive, positiveShare, type Stored, strict } from "../stored-schema.ts";

/** Share of the points in the tail: its start is rarer by one decade than any point. */
const TAIL_SHARE = 0.1;
const TAIL_DECADES = 1;
/** Least start of the tail and least mean excess over it, decades: of a series without noise rounding would be rare. */
const MIN_USUAL = 0.5;
const MIN_EXCESS = 0.15;
/** Excess that every training is credited with, as a share of the usual mean, and its weight in points of the tail. */
const USUAL_EXCESS = 0.45;
const PRIOR_TAIL = 100;
/** Share of the points that false alarms are counted among, and their least number. */
const ALARM_SHARE = 0.02;
const MIN_ALARM_POINTS = 10;
/** Points between two alarms that are one burst. */
const MAX_GAP = 3;
/** Bursts and points that every training is credited with: each of few points is one of its own. */
const PRIOR_BURSTS = 5;
const PRIOR_POINTS = 5;
/** Bursts of a training that tell how often a mean is reached. */
const COUNTED_BURSTS = 20;
/** Least number of days of which half tell it. */
const MIN_DAYS = 5;

/** A mean that the training reached so often, how rare that is, and the mean excess over it, decades. */
const reached = Type.Object({ from: positive, decades: positive, excess: positive }, strict);

/** Parts of the schema of a tail. */
export const meanTail = {
  /** Mean rarity that one normal point in ten exceeds, decades. */
  usual: positive,
  /** Mean excess over it, decades. */
  excess: positive,
  /** Bursts per point of the tail, 0..1. */
  bursts: positiveShare,
  /** By twenty bursts. Absent where the tail calls nothing rarer than that, and in versions of older releases. */
  counted: Type.Optional(reached),
  /** By half of the days: what comes each day at any time, as the end of a job of uneven length. Absent likewise. */
  daily: Type.Optional(reached),
};

const MeanTailSchema = Type.Object(meanTail, strict);
type MeanTail = Stored<typeof MeanTailSchema>;
type Reached = Stored<typeof reached>;
type Exponential = Pick<MeanTail, "usual" | "excess">;

/**
 * Fits the tail of mean rarities.
 * @param means of normal points in order of time, decades; at least one
 * @param days of the means, ascending; absent: not known
 */
export function fitMeanTail(means: Float64Array, days?: Int32Array): MeanTail {
  const sorted = means.slice().sort();
  const usual = Math.max(MIN_USUAL, quantileOf(sorted, 1 - TAIL_SHARE));
  const above = sorted.filter((mean) => mean > usual);
  const sum = above.reduce((total, mean) => total + mean - usual, 0);
  const excess = (sum + PRIOR_TAIL * USUAL_EXCESS * usual) / (above.length + PRIOR_TAIL);
  const fitted = { usual, excess: Math.max(MIN_EXCESS, excess), bursts: burstShare(means, sorted) };
  const counted = countBursts(means, fitted);
  const isCounted = counted && (isLessRare(counted, fitted) || counted.excess > fitted.excess);
  const tail = isCounted ? { ...fitted, counted } : fitted;
  const daily = days && countDays(means, days, fitted);
  return daily && isLessRare(daily, tail) ? { ...tail, daily } : tail;
}

/** Rarity of a mean, decades: linear up to the tail, of a burst beyond it. */
export function rarityInTail(tail: MeanTail, mean: number): number {
  const { usual, counted, daily } = tail;
  if (mean <= usual) return (mean * TAIL_DECADES) / usual;
  const beyond = (mean - usual) / (tail.excess * Math.LN10);
  let rarity = TAIL_DECADES + beyond - Math.log10(tail.bursts) * Math.min(1, beyond);
  if (counted) rarity = Math.min(rarity, rarityBeyond(counted, mean));
  if (daily) rarity = Math.min(rarity, rarityBeyond(daily, mean));
  return rarity;
}

function rarityBeyond({ from, decades, excess }: Reached, mean: number): number {
  return decades + Math.max(0, mean - from) / (excess * Math.LN10);
}

function isLessRare({ from, decades }: Reached, tail: MeanTail): boolean {
  return decades < rarityInTail(tail, from);
}

/** The rarest bursts, where most points of the tail are of another kind, as noise beside spikes; undefined: too few. */
function countBursts(means: Float64Array, { usual, excess }: Exponential): Reached | undefined {
  const peaks = burstsAbove(means, usual).map(({ peak }) => peak);
  const rarest = peaks.sort((a, b) => b - a).slice(0, COUNTED_BURSTS);
  if (rarest.length < COUNTED_BURSTS) return undefined;
  const from = rarest.at(-1)!;
  const own = rarest.reduce((sum, peak) => sum + peak - from, 0) / COUNTED_BURSTS;
  return { from, decades: Math.log10(means.length / COUNTED_BURSTS), excess: Math.max(excess, own) };
}

/**
 * What half of the days reach, which an incident of few days is no part of; the excess is by the median of those days.
 * Undefined: too few days, or not in the tail.
 */
function countDays(
  means: Float64Array,
  days: Int32Array,
  { usual, excess }: Exponential,
): Reached | undefined {
  const peaks: number[] = [];
  for (let i = 0; i < means.length; i++) {
    if (i === 0 || days[i] !== days[i - 1]) peaks.push(0);
    peaks.push(Math.max(peaks.pop()!, means[i]!));
  }
  if (peaks.length < MIN_DAYS) return undefined;
  const half = Math.ceil(peaks.length / 2);
  const rarest = peaks.sort((a, b) => b - a).slice(0, half);
  const from = rarest.at(-1)!;
  const own = (rarest[half >> 1]! - from) / Math.LN2;
  if (from <= usual) return undefined;
  return { from, decades: Math.log10(means.length / half), excess: Math.max(excess, own) };
}

/** Bursts per point among the rarest points. */
function burstShare(means: Float64Array, sorted: Float64Array): number {
  const count = Math.max(MIN_ALARM_POINTS, Math.round(ALARM_SHARE * means.length));
  const limit = sorted[means.length - 1 - Math.min(count, means.length - 1)]!;
  const found = burstsAbove(means, limit);
  const points = found.reduce((sum, burst) => sum + burst.points, 0);
  return Math.min(1, (found.length + PRIOR_BURSTS) / (points + PRIOR_POINTS));
}

interface Burst {
  points: number;
  /** Its largest mean, decades. */
  peak: number;
}

/** Means above a limit, those near one another as one burst. */
function burstsAbove(means: Float64Array, limit: number): readonly Burst[] {
  const bursts: Burst[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < means.length; i++) {
    const mean = means[i]!;
    if (mean <= limit) continue;
    if (i - last > MAX_GAP) bursts.push({ points: 0, peak: mean });
    const burst = bursts.at(-1)!;
    burst.points++;
    burst.peak = Math.max(burst.peak, mean);
    last = i;
  }
  return bursts;
}
