// Calibration of the combined detectors by the tail of their own mean, where one false alarm is a burst of points; pure.
import { Type } from "@sinclair/typebox";
import { quantileOf } from "../stats/outliers.ts";
import { numbers, positive, positiveShare, type Stored, strict } from "../stored-schema.ts";
import {
  isRecurringTime,
  isRecurringWeekTime,
  type LocalTime,
  MAX_ENTRIES,
  MAX_TIMES,
  type Recurring,
} from "./seasons/recurring.ts";

/** Least number of points that a calibration is fitted to. */
const MIN_POINTS = 200;
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

/** Decades off what recurs by the clock: it has half as many false alarms as the other times, which have those asked for. */
const RECURRING_DECADES = Math.log10(2);

const tail = {
  /** Mean rarity that one normal point in ten exceeds, decades. */
  usual: positive,
  /** Mean excess over it, decades. */
  excess: positive,
  /** Bursts per point of the tail, 0..1. */
  bursts: positiveShare,
  /**
   * Mean that twenty bursts of the training reach, how rare that is, and their mean excess over it, decades. Absent where
   * the tail calls nothing rarer than that, and in versions of older releases.
   */
  counted: Type.Optional(Type.Object({ from: positive, decades: positive, excess: positive }, strict)),
};

/** How rare a mean of rarities is among normal points, and how they gather. */
export const CalibrationSchema = Type.Object(
  {
    ...tail,
    /** See `Recurring`: what recurs by the clock is no rarer than that; absent where nothing does. */
    recurring: Type.Optional(Type.Array(Type.Tuple([positive, positive]), { maxItems: MAX_ENTRIES })),
    /** Of the other times of the day; absent where nothing recurs, and in versions of older releases. */
    others: Type.Optional(Type.Object({ ...tail, times: numbers(MAX_TIMES) }, strict)),
    /** Of the times of the week at which something recurs that does not each day; absent without any. */
    weekly: Type.Optional(Type.Object({ ...tail, times: numbers(MAX_TIMES) }, strict)),
  },
  strict,
);
export type Calibration = Stored<typeof CalibrationSchema>;
type TailOfMeans = Pick<Calibration, keyof typeof tail>;

/** What recurs by the clock. */
interface ByClock {
  /** See `findRecurring`, and the local time of each mean. */
  readonly recurring?: Recurring | undefined;
  readonly timeOf: (i: number) => LocalTime;
  /** See `findWeekTimes`, and the means at those times; absent without any. */
  readonly weekly?: { readonly times: readonly number[]; readonly means: Float64Array } | undefined;
}

/**
 * Fits an exponential tail to the means of the rarities of normal points; where events recur by the clock, one to the
 * other times of the day as well, and one to the times of what recurs by the week.
 * @param all in order of time, decades
 * @returns undefined where they are too few
 */
export function fitCalibration(all: Float64Array, byClock?: ByClock): Calibration | undefined {
  if (all.length < MIN_POINTS) return undefined;
  const whole = fitTailOf(all);
  if (!byClock) return whole;
  const { recurring: { known, times } = { known: [], times: [] }, weekly, timeOf } = byClock;
  const rarer = known.filter(
    ([mean, decades]) => decades > RECURRING_DECADES && decades < calibrateBy(whole, mean),
  );
  const others = all.filter((_, i) => times.length > 0 && !isRecurringTime(times, timeOf(i)));
  return {
    ...whole,
    ...(rarer.length > 0 && {
      recurring: rarer.map(([mean, decades]) => [mean, decades - RECURRING_DECADES]),
    }),
    ...(others.length >= MIN_POINTS && { others: { ...fitTailOf(others), times: [...times] } }),
    ...(weekly && { weekly: { ...fitTailOf(weekly.means), times: [...weekly.times] } }),
  };
}

function fitTailOf(means: Float64Array): TailOfMeans {
  const sorted = means.slice().sort();
  const usual = Math.max(MIN_USUAL, quantileOf(sorted, 1 - TAIL_SHARE));
  const above = sorted.filter((mean) => mean > usual);
  const sum = above.reduce((total, mean) => total + mean - usual, 0);
  const excess = (sum + PRIOR_TAIL * USUAL_EXCESS * usual) / (above.length + PRIOR_TAIL);
  const fitted = { usual, excess: Math.max(MIN_EXCESS, excess), bursts: burstShare(means, sorted) };
  const counted = countBursts(means, fitted);
  if (!counted) return fitted;
  const isLessRare = counted.decades < calibrateBy(fitted, counted.from) || counted.excess > fitted.excess;
  return isLessRare ? { ...fitted, counted } : fitted;
}

/** The rarest bursts, where most points of the tail are of another kind, as noise beside spikes; undefined: too few. */
function countBursts(
  means: Float64Array,
  { usual, excess }: Pick<TailOfMeans, "usual" | "excess">,
): TailOfMeans["counted"] {
  const peaks = burstsAbove(means, usual).map(({ peak }) => peak);
  const rarest = peaks.sort((a, b) => b - a).slice(0, COUNTED_BURSTS);
  if (rarest.length < COUNTED_BURSTS) return undefined;
  const from = rarest.at(-1)!;
  const own = rarest.reduce((sum, peak) => sum + peak - from, 0) / COUNTED_BURSTS;
  return { from, decades: Math.log10(means.length / COUNTED_BURSTS), excess: Math.max(excess, own) };
}

/**
 * Rarity of a mean, decades: linear up to the tail, of a burst beyond it, and at the times of what recurs no rarer than
 * that.
 * @param time of the mean; absent: at the times of what recurs each day
 */
export function calibrate(whole: Calibration, mean: number, time?: LocalTime): number {
  return calibrationAt(whole, time)(mean);
}

/** As `calibrate`, of all means at a time: a band tries dozens of them. */
export function calibrationAt(whole: Calibration, time?: LocalTime): (mean: number) => number {
  const { others, recurring = [], weekly } = whole;
  if (weekly && time && isRecurringWeekTime(weekly.times, time)) return (mean) => calibrateBy(weekly, mean);
  if (others && time && !isRecurringTime(others.times, time)) return (mean) => calibrateBy(others, mean);
  return (mean) => {
    let rarity = calibrateBy(whole, mean);
    for (const [known, decades] of recurring)
      rarity = Math.min(rarity, decades + Math.max(0, mean - known) / (whole.excess * Math.LN10));
    return rarity;
  };
}

function calibrateBy({ usual, excess, bursts, counted }: TailOfMeans, mean: number): number {
  if (mean <= usual) return (mean * TAIL_DECADES) / usual;
  const beyond = (mean - usual) / (excess * Math.LN10);
  const rarity = TAIL_DECADES + beyond - Math.log10(bursts) * Math.min(1, beyond);
  if (!counted) return rarity;
  const above = Math.max(0, mean - counted.from);
  return Math.min(rarity, counted.decades + above / (counted.excess * Math.LN10));
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
