// Detection of a suitable bucket_interval: from a histogram of points and a few samples of the range; pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/time.ts";
import { alignRange, ceilTo, floorTo, type Range } from "./grid.ts";

/** Candidate intervals: divisors of a day that people use, ascending. */
const NATURAL_MS: readonly number[] = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
];
export const MAX_INTERVAL_MS = DAY_MS;

/** Limits of a training range: intervals, and values (intervals times features). */
const MAX_INTERVALS = 100_000;
const MAX_VALUES = 2_000_000;
/** Share of intervals with points whose successor has points, too, without gaps: the interval fits. */
const MIN_FILLED = 0.9;
/** The same share for a usable interval; below, it may be chance. */
const MIN_USUAL = 0.6;
/** A distance of more typical distances than this is a gap: points are missing. */
const GAP_FACTOR = 3;
/** Longest interval, as a multiple of the first usable one: longer ones would only bridge gaps. */
export const MAX_GROWTH = 3;
/** Quantile of the counts that is typical: emptier intervals below it are gaps. */
const TYPICAL_QUANTILE = 0.75;
/** Tolerance for points a little closer than an interval: missing ones make them look further apart. */
const SPACING_TOLERANCE = 0.8;
/** Maximum intervals of the histogram of a range. */
const MAX_HISTOGRAM_INTERVALS = 500;
/** Intervals of one sample. */
const SAMPLE_INTERVALS = 240;
/** Positions of the samples among the intervals with points. */
const SAMPLE_POSITIONS = [1 / 6, 1 / 2, 5 / 6];

/** The shortest candidate interval of at least `leastMs`, or the longest one. */
export function naturalInterval(leastMs: number): number {
  return NATURAL_MS.find((ms) => ms >= leastMs) ?? MAX_INTERVAL_MS;
}

/** Shortest interval within the limits of a training range. @param width number of features */
export function shortestInterval({ fromAt, toAt }: Range, width: number): number {
  const most = Math.min(MAX_INTERVALS, Math.floor(MAX_VALUES / Math.max(1, width)));
  return naturalInterval((toAt - fromAt) / most);
}

/** Interval of the histogram of a range: a few hundred of them. */
export function histogramInterval({ fromAt, toAt }: Range): number {
  const leastMs = (toAt - fromAt) / MAX_HISTOGRAM_INTERVALS;
  return leastMs > MAX_INTERVAL_MS ? ceilTo(leastMs, MAX_INTERVAL_MS) : naturalInterval(leastMs);
}

/** Histogram: points per interval. */
export interface Histogram {
  readonly startAt: number;
  readonly intervalMs: number;
  /** 0 or NaN = none. */
  readonly counts: Float64Array;
}

/** The part of a range from the first to the last interval with points; at least one must have some. */
export function occupiedRange(surveys: readonly Histogram[], range: Range): Range {
  const places = surveys.flatMap(({ startAt, intervalMs, counts }) => {
    const occupied = (count: number) => count > 0;
    const [first, last] = [counts.findIndex(occupied), counts.findLastIndex(occupied)];
    return first < 0
      ? []
      : [{ fromAt: startAt + first * intervalMs, toAt: startAt + (last + 1) * intervalMs }];
  });
  return {
    fromAt: Math.max(range.fromAt, Math.min(...places.map(({ fromAt }) => fromAt))),
    toAt: Math.min(range.toAt, Math.max(...places.map(({ toAt }) => toAt))),
  };
}

/** Distance between points outside of gaps, ms, at most one interval of the histogram; undefined without points. */
export function spacingOf({ counts, intervalMs }: Histogram): number | undefined {
  const usual = usualCount(counts);
  return usual === undefined ? undefined : intervalMs / Math.max(1, usual);
}

function usualCount(counts: Float64Array): number | undefined {
  const filled = counts.filter((count) => count > 0).sort();
  return filled[Math.floor(TYPICAL_QUANTILE * filled.length)];
}

/** First interval to try for a distance between points. */
export function firstInterval(spacingMs: number): number {
  return naturalInterval(SPACING_TOLERANCE * spacingMs);
}

/**
 * Parts of a range to sample: a few hundred intervals each, around points.
 * @returns ranges aligned on `intervalMs`, none twice
 */
export function sampleRanges(
  { startAt, intervalMs: surveyMs, counts }: Histogram,
  range: Range,
  intervalMs: number,
) {
  const usual = usualCount(counts) ?? 0;
  const places = Array.from(counts.keys()).filter((i) => counts[i]! > 0 && counts[i]! >= usual / 2);
  const whole = alignRange(range, intervalMs);
  const probes = SAMPLE_POSITIONS.map((share): Range => {
    const place = places[Math.floor(share * places.length)] ?? 0;
    const centerAt = startAt + (place + 0.5) * surveyMs;
    const fromAt = Math.max(
      whole.fromAt,
      floorTo(centerAt - (SAMPLE_INTERVALS / 2) * intervalMs, intervalMs),
    );
    return { fromAt, toAt: Math.min(whole.toAt, fromAt + SAMPLE_INTERVALS * intervalMs) };
  });
  return probes.filter((probe, k) => probe.fromAt !== probes[k - 1]?.fromAt);
}

/** Distances from each interval with points to the next one, in intervals. */
export function distancesOf(counts: Float64Array): number[] {
  const filled = Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  return filled.slice(1).map((i, k) => i - filled[k]!);
}

/** Fitness of an interval, from samples. */
export interface Verdict {
  /** Nearly every interval with points is followed by another. */
  readonly isFilled: boolean;
  /** Most intervals with points are followed by another. */
  readonly isUsual: boolean;
  /** The next interval to try; undefined if there is none longer. */
  readonly nextMs: number | undefined;
}

/**
 * Judges an interval by its samples.
 * @param distances from one interval with points to the next, in intervals
 */
export function judgeInterval(intervalMs: number, distances: readonly number[]): Verdict {
  const sorted = distances.toSorted((a, b) => a - b);
  const typical = sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY;
  const near = sorted.filter((distance) => distance <= GAP_FACTOR * typical);
  const filled = near.filter((distance) => distance === 1).length;
  const leastMs = Number.isFinite(typical) ? SPACING_TOLERANCE * typical * intervalMs : 0;
  const isLongest = intervalMs >= MAX_INTERVAL_MS;
  return {
    isFilled: near.length > 0 && filled >= MIN_FILLED * near.length,
    isUsual: near.length > 0 && filled >= MIN_USUAL * near.length,
    nextMs: isLongest ? undefined : naturalInterval(Math.max(intervalMs + 1, leastMs)),
  };
}
