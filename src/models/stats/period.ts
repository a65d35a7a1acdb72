// Period detection: candidates from spectrum and calendar, checked by autocorrelation; pure.
import { DAY_MS, HOUR_MS } from "../../core/time/time.ts";
import { clipOutliers, removeMovingMean, removeTrend } from "./detrend.ts";
import { analyse, type Spectrum } from "./spectrum.ts";

export interface Period {
  /** Period in intervals; 0 = none. */
  readonly period: number;
  /** Share of the detrended variance that repeats, 0..1. */
  readonly strength: number;
}

/** Least number of cycles in the column: fewer repeat by chance. */
const MIN_CYCLES = 3;
const MIN_PERIOD = 2;
/** Lowest frequency, in cycles per column: below it lies the trend. */
const LOWEST_FREQUENCY = 3;
const MAX_CANDIDATES = 12;
/** Least strength: fixed, of noise by the number of points, and of a random walk by the number of cycles. */
const MIN_STRENGTH = 0.2;
const CHANCE_PER_POINT = 4;
const CHANCE_PER_CYCLE = { natural: 0.8, other: 1.3 };
/** Least strength after two periods, as a share of the strength after one. */
const MIN_SECOND_REPEAT = 0.6;
/** Multiples of a period repeat as well: a fraction of the strongest candidate wins from this share of its strength. */
const MIN_PART_STRENGTH = 0.75;
const MULTIPLE_TOLERANCE = 0.2;
const MAX_PARTS = 12;
/** Periods within this share of one another are considered equal. */
const NEAR_SHARE = 0.03;
/** Lags searched around a multiple of the period, as a share of the period. */
const REFINE_SHARE = 0.05;
const MIN_REFINED_STRENGTH = 0.98;
/** Multiples of a season that is no whole number of intervals, and the cycles after which they are compared. */
const MAX_MULTIPLE = 12;
const FAR_CYCLES = 4;
/** Ratios of what does not repeat: up to which a shorter multiple is as good, and from which a day is none of them. */
const REST_RATIO = { same: 1.3, other: 2 };
/** What does not repeat that is nothing. */
const NO_REST = 0.002;
/** A nearby calendar period is preferred from this share of the strength. */
const MIN_NATURAL_STRENGTH = 0.95;
const NATURAL_MS = [HOUR_MS, DAY_MS, 168 * HOUR_MS];
/** Share of a day that the parts of it, counted, may miss it by. */
const PART_SHARE = 0.05;
/** Share of the strength of a day that a part of it has half a day away, if the parts of the day are all alike. */
const MIN_ALIKE_STRENGTH = 0.8;
/** Ratio of what does not repeat after half a day and after a day, less 1, that is chance of one pair of points. */
const REST_CHANCE = 5;
/** Share that does not repeat after half a day of which the parts of a day are still alike. */
const LEAST_REST = 0.05;

const NONE: Period = { period: 0, strength: 0 };

/**
 * Detects the period of a series.
 * @param column NaN = missing
 * @param intervalMs length of an interval, if known: hours, days and weeks are then preferred
 */
export function detectPeriod(
  column: Float64Array,
  { intervalMs }: { readonly intervalMs?: number | undefined } = {},
): Period {
  const longest = Math.floor(column.length / MIN_CYCLES);
  const flat = removeTrend(column);
  const clean = clipOutliers(flat);
  if (longest < MIN_PERIOD || !clean.some((value) => value !== 0 && !Number.isNaN(value))) return NONE;
  const natural = NATURAL_MS.map((ms) => ms / (intervalMs ?? 0)).filter(
    (length) => Number.isInteger(length) && length >= MIN_PERIOD && length <= longest,
  );
  const spectrum = analyse(clean);
  const hints = new Set([...natural, ...findCandidates(spectrum, { points: column.length, longest })]);
  const goodOf = (periods: Iterable<number>, own = clean): Period[] =>
    Array.from(periods, (period) => ({ period, strength: repeatsAfter(own, period) })).filter(
      ({ period, strength }) => {
        const chance = CHANCE_PER_CYCLE[natural.includes(period) ? "natural" : "other"];
        return strength >= minStrength(column.length, period, chance);
      },
    );
  const good = goodOf(hints);
  const fractions = fractionsOf(strongestOf(good)?.period ?? 0).filter((period) => !hints.has(period));
  const all = [...good, ...goodOf(fractions)];
  const chosen = choose(all, natural);
  const dayLength = DAY_MS / (intervalMs ?? 0);
  const day = all.find(({ period }) => period === dayLength);
  // Two days are too few to find a day, and enough to see that a part of it is none.
  const hasTwo = Number.isInteger(dayLength) && 2 * dayLength <= column.length;
  const seen = day ?? (hasTwo ? dayOf(clean, dayLength) : undefined);
  const isPart =
    seen && isPartOfDay(clean, chosen.period, seen) && !passesDay(clean, chosen.period, dayLength);
  const found = isPart ? (day ?? NONE) : chosen;
  // A job of an hour a week is clipped like an outlier; no accident comes at the same time of each week.
  if (found.period === 0) return choose(goodOf(natural, flat), natural);
  if (natural.includes(found.period)) return found;
  const period = wholeMultiple(refine(found.period, clean), clean);
  const strength = repeatsAfter(clean, period);
  return strength >= MIN_REFINED_STRENGTH * found.strength ? { period, strength } : found;
}

/**
 * The shortest multiple of a period that is a whole number of intervals, as 37 of 7.4: of those it is rounded to, the first
 * that repeats after some cycles as well as any.
 */
function wholeMultiple(exact: number, column: Float64Array): number {
  const fast = removeMovingMean(column, Math.round(exact));
  const multiples = Array.from({ length: MAX_MULTIPLE }, (_, k) => Math.round((k + 1) * exact));
  const rests = multiples.flatMap((period, k) => {
    const lag = period * Math.ceil((FAR_CYCLES * exact) / period);
    const isSeen = k === 0 || (2 * MIN_CYCLES * period <= column.length && 2 * lag <= column.length);
    return isSeen ? [{ period, rest: 1 - correlationAt(fast, lag) }] : [];
  });
  const least = Math.min(...rests.map(({ rest }) => rest));
  const most = Math.max(NO_REST, REST_RATIO.same * least);
  return rests.find(({ rest }) => rest <= most)?.period ?? Math.round(exact);
}

/** Whether a period repeats at multiples of it near a day and not after a day: a season of its own, no part of the day. */
function passesDay(column: Float64Array, period: number, day: number): boolean {
  const exact = refine(period, column);
  const fast = removeMovingMean(column, Math.round(exact));
  const restAfter = (lag: number) => 1 - correlationAt(fast, lag);
  const times = Math.round(day / exact);
  const nearby = Array.from({ length: 2 * FAR_CYCLES + 1 }, (_, k) =>
    Math.round((times + k - FAR_CYCLES) * exact),
  );
  const seen = nearby.filter((lag) => lag > exact + 1 && 2 * lag <= column.length);
  const least = Math.min(...seen.map(restAfter));
  return restAfter(day) > Math.max(NO_REST, REST_RATIO.other * least);
}

/** Refines the period at ever larger multiples, which determine it ever more precisely. */
function refine(period: number, column: Float64Array): number {
  const fast = removeMovingMean(column, period);
  const reach = Math.max(1, Math.ceil(REFINE_SHARE * period));
  let exact = period;
  for (let times = 2; times * exact * MIN_CYCLES < column.length; times *= 2) {
    const first = Math.round(times * exact) - reach;
    const nearby = Float64Array.from({ length: 2 * reach + 1 }, (_, k) => correlationAt(fast, first + k));
    exact = (first + highest(nearby, 0, 2 * reach)) / times;
  }
  return exact;
}

/** Index of the highest of the values from `from` to `to`. */
function highest(values: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i <= to; i++) if (values[i]! > values[best]!) best = i;
  return best;
}

/** Strength above that of noise of this length. @param perCycle strength of a random walk over one cycle */
function minStrength(length: number, period: number, perCycle: number): number {
  const points = CHANCE_PER_POINT / Math.sqrt(length - period);
  return Math.max(MIN_STRENGTH, points, perCycle / Math.sqrt(length / period));
}

/** The strongest candidate, or its shortest fraction of similar strength; a calendar period if one is near. */
function choose(good: readonly Period[], natural: readonly number[]): Period {
  const strongest = strongestOf(good);
  if (!strongest) return NONE;
  const parts = good.filter(
    ({ period, strength }) =>
      strength >= MIN_PART_STRENGTH * strongest.strength && isMultiple(strongest.period, period),
  );
  const shortest = Math.min(...parts.map(({ period }) => period));
  const [found = strongest] = parts
    .filter(({ period }) => isNear(period, shortest))
    .sort((a, b) => b.strength - a.strength);
  const near = good.find(
    ({ period, strength }) =>
      natural.includes(period) &&
      isNear(found.period, period) &&
      strength >= MIN_NATURAL_STRENGTH * found.strength,
  );
  return near ?? found;
}

function dayOf(column: Float64Array, period: number): Period {
  return { period, strength: strengthAfter(column, period) };
}

/** Share of the variance that repeats after a period, of what is not slower. @param column NaN = missing */
export function strengthAfter(column: Float64Array, period: number): number {
  return correlationAt(removeMovingMean(column, period), period);
}

/**
 * Whether a period is a part of a day that differs from the others, as hours do where jobs start on top of a daily load,
 * and peaks of mornings and evenings do: half a day away less repeats than a day away.
 */
function isPartOfDay(column: Float64Array, period: number, day: Period): boolean {
  const times = Math.round(day.period / period);
  if (!(times > 1 && Math.abs(times * period - day.period) <= PART_SHARE * day.period)) return false;
  const half = Math.round((day.period / times) * Math.round(times / 2));
  const strength = correlationAt(removeMovingMean(column, day.period), half);
  const chance = 1 + REST_CHANCE / Math.sqrt(column.length - day.period);
  return (
    strength < MIN_ALIKE_STRENGTH * day.strength ||
    1 - strength > Math.max(LEAST_REST, chance * (1 - day.strength))
  );
}

function strongestOf(good: readonly Period[]): Period | undefined {
  return good.toSorted((a, b) => b.strength - a.strength)[0];
}

/** Fractions of a period: noise moves the peaks of short ones away from them, those of a multiple by less. */
function fractionsOf(period: number): number[] {
  const fractions = Array.from({ length: MAX_PARTS - 1 }, (_, k) => Math.round(period / (k + 2)));
  return [...new Set(fractions)].filter((part) => part >= MIN_PERIOD);
}

/** Both are rounded: a multiple is off by up to half an interval per part. */
function isMultiple(whole: number, part: number): boolean {
  const times = Math.round(whole / part);
  return Math.abs(whole - times * part) <= Math.min(1 + times / 2, MULTIPLE_TOLERANCE * part);
}

function isNear(period: number, other: number): boolean {
  return Math.abs(period - other) <= Math.max(1, NEAR_SHARE * other);
}

/** Periods of the strongest frequencies, and lags of the highest autocorrelation. */
function findCandidates(
  spectrum: Spectrum,
  { points, longest }: { readonly points: number; readonly longest: number },
): number[] {
  const { power, length, correlation } = spectrum;
  const peaks = peaksOf(correlation, MIN_PERIOD, longest);
  const high = peaks.filter((lag) => correlation[lag]! >= MIN_PART_STRENGTH * correlation[peaks[0]!]!);
  const lags = high.sort((a, b) => a - b).slice(0, MAX_CANDIDATES);
  const width = length / points;
  const lowest = Math.ceil(LOWEST_FREQUENCY * width);
  const frequencies = peaksOf(power, lowest, power.length - 1).slice(0, MAX_CANDIDATES);
  // A frequency covers a range of periods: take the lag of the highest autocorrelation within it.
  const periods = frequencies.flatMap((k) => {
    const from = Math.max(MIN_PERIOD, Math.floor(length / (k + width / 2)));
    const to = Math.min(longest, Math.ceil(length / Math.max(1, k - width / 2)));
    if (from > to) return [];
    const best = highest(correlation, from, to);
    // Beyond the longest one lies the period that it would be taken for.
    return best === longest && correlation[longest + 1]! > correlation[longest]! ? [] : [best];
  });
  return [...lags, ...periods];
}

/** Local maxima from `from` to `to`, highest first. */
function peaksOf(values: Float64Array, from: number, to: number): number[] {
  const peaks: number[] = [];
  for (let i = from; i <= to; i++) {
    const value = values[i]!;
    if (value > (values[i - 1] ?? Number.NEGATIVE_INFINITY) && value >= (values[i + 1] ?? 0) && value > 0)
      peaks.push(i);
  }
  return peaks.sort((a, b) => values[b]! - values[a]!);
}

/**
 * Autocorrelation at the period, after removal of everything slower. Nothing remains of a random walk.
 */
function repeatsAfter(column: Float64Array, period: number): number {
  const fast = removeMovingMean(column, period);
  const once = correlationAt(fast, period);
  if (once <= 0) return 0;
  const twice = correlationAt(fast, 2 * period);
  return twice >= MIN_SECOND_REPEAT * once ? once : Math.max(0, twice);
}

/** Correlation of values a lag apart, about 0; 0 without pairs. */
export function correlationAt(column: Float64Array, lag: number): number {
  let [product, early, late] = [0, 0, 0];
  for (let i = lag; i < column.length; i++) {
    const [before, after] = [column[i - lag]!, column[i]!];
    if (Number.isNaN(before) || Number.isNaN(after)) continue;
    product += before * after;
    early += before * before;
    late += after * after;
  }
  return early > 0 && late > 0 ? product / Math.sqrt(early * late) : 0;
}
