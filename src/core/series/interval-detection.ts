// How far apart points lie, by counts of them per interval, and which bucket_interval suits them; pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/time.ts";
import { alignRange, ceilTo, floorTo, type Range } from "./grid.ts";

/** Intervals that people choose and that days are made of, ascending. */
const NATURAL_MS: readonly number[] = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
];
export const LONGEST_INTERVAL_MS = DAY_MS;

/** Intervals of a training range at most, and values: intervals times features. */
const MAX_INTERVALS = 100_000;
const MAX_VALUES = 2_000_000;
/** Share of the intervals with points that are followed by one with points, gaps aside. */
const MIN_FILLED = 0.9;
/** The same, to be the usual thing: below it is as likely chance. */
const MIN_USUAL = 0.6;
/** Beyond so many typical distances points are missing, and not far apart. */
const GAP = 3;
/** Gaps of all lengths are not filled by ever longer intervals: so many times the first in which points are usual is the most. */
export const MOST_GROWTH = 3;
/** Share of the parts of a range that may be emptier than the rest, by gaps, and say nothing of the spacing. */
const GAPPY = 0.75;
/** Points a little closer than an interval are one per interval: what is missing of them makes them look further apart. */
const NEARLY = 0.8;
/** Intervals of the look at a whole range, at most, and of a close look at a part of it. */
const SURVEY_INTERVALS = 500;
const PROBE_INTERVALS = 240;
/** Where among the parts that hold points it is looked closely. */
const PROBE_PLACES = [1 / 6, 1 / 2, 5 / 6];

/** The shortest natural interval that is at least as long, or the longest there is. */
export function naturalInterval(leastMs: number): number {
  return NATURAL_MS.find((ms) => ms >= leastMs) ?? LONGEST_INTERVAL_MS;
}

/** Shortest interval that leaves a range with few enough of them. @param width features */
export function shortestInterval({ fromAt, toAt }: Range, width: number): number {
  const most = Math.min(MAX_INTERVALS, Math.floor(MAX_VALUES / Math.max(1, width)));
  return naturalInterval((toAt - fromAt) / most);
}

/** Interval of a look at the whole range: a few hundred of them. */
export function surveyInterval({ fromAt, toAt }: Range): number {
  const leastMs = (toAt - fromAt) / SURVEY_INTERVALS;
  return leastMs > LONGEST_INTERVAL_MS ? ceilTo(leastMs, LONGEST_INTERVAL_MS) : naturalInterval(leastMs);
}

/** Points per interval. */
export interface Survey {
  readonly startAt: number;
  readonly intervalMs: number;
  /** 0 or NaN = none. */
  readonly counts: Float64Array;
}

/** The part of a range from the first to the last interval of the surveys that holds points; at least one does. */
export function occupiedRange(surveys: readonly Survey[], range: Range): Range {
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

/** Distance of points where none are missing, ms; no more than an interval of the survey. Undefined where there are none. */
export function spacingOf({ counts, intervalMs }: Survey): number | undefined {
  const usual = usualCount(counts);
  return usual === undefined ? undefined : intervalMs / Math.max(1, usual);
}

function usualCount(counts: Float64Array): number | undefined {
  const filled = counts.filter((count) => count > 0).sort();
  return filled[Math.floor(GAPPY * filled.length)];
}

/** Interval to begin with, for points so far apart. */
export function firstInterval(spacingMs: number): number {
  return naturalInterval(NEARLY * spacingMs);
}

/**
 * Parts of a range to look closely at: a few hundred intervals each, around points.
 * @returns aligned on `intervalMs`; none twice
 */
export function probesOf(
  { startAt, intervalMs: surveyMs, counts }: Survey,
  range: Range,
  intervalMs: number,
) {
  const usual = usualCount(counts) ?? 0;
  const places = Array.from(counts.keys()).filter((i) => counts[i]! > 0 && counts[i]! >= usual / 2);
  const whole = alignRange(range, intervalMs);
  const probes = PROBE_PLACES.map((share): Range => {
    const place = places[Math.floor(share * places.length)] ?? 0;
    const centerAt = startAt + (place + 0.5) * surveyMs;
    const fromAt = Math.max(whole.fromAt, floorTo(centerAt - (PROBE_INTERVALS / 2) * intervalMs, intervalMs));
    return { fromAt, toAt: Math.min(whole.toAt, fromAt + PROBE_INTERVALS * intervalMs) };
  });
  return probes.filter((probe, k) => probe.fromAt !== probes[k - 1]?.fromAt);
}

/** How far each interval that holds points is from the next that does, in intervals. */
export function distancesOf(counts: Float64Array): number[] {
  const filled = Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  return filled.slice(1).map((i, k) => i - filled[k]!);
}

/** What the probes of an interval say of it. */
export interface Verdict {
  /** Nearly every interval with points is followed by one with points. */
  readonly isFilled: boolean;
  /** Most intervals with points are. */
  readonly isUsual: boolean;
  /** The interval to try after this one; undefined: there is none longer. */
  readonly nextMs: number | undefined;
}

/**
 * Judges an interval that was tried.
 * @param distances from one interval with points to the next, in intervals
 */
export function judgeInterval(intervalMs: number, distances: readonly number[]): Verdict {
  const sorted = distances.toSorted((a, b) => a - b);
  const typical = sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY;
  const near = sorted.filter((distance) => distance <= GAP * typical);
  const filled = near.filter((distance) => distance === 1).length;
  const leastMs = Number.isFinite(typical) ? NEARLY * typical * intervalMs : 0;
  const isLongest = intervalMs >= LONGEST_INTERVAL_MS;
  return {
    isFilled: near.length > 0 && filled >= MIN_FILLED * near.length,
    isUsual: near.length > 0 && filled >= MIN_USUAL * near.length,
    nextMs: isLongest ? undefined : naturalInterval(Math.max(intervalMs + 1, leastMs)),
  };
}
