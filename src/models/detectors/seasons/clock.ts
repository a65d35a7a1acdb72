// Clock: the courses of earlier days at the same local time, and by how many points jobs come early or late; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../../core/time/time.ts";
import { type Stored, strict } from "../../stored-schema.ts";
import { MAX_LAG } from "../neighbours/quanta.ts";
import { DISTANCE_FLOOR } from "../neighbours/windows.ts";
import type { Timeline } from "../timeline.ts";

/** Length of a course, in points. */
export const CLOCK_SPAN = 3;
/** Days that a course is compared with, and the least number of them. */
const MAX_DAYS = 14;
const MIN_DAYS = 2;
/** Least number of days of which the lowest value tells something. */
const MIN_LOWEST_DAYS = 5;
/** Most days from one run of a job to the next: of more, too few runs are known. */
const MOST_EVERY = 2;
/** Gain of the lowest value of every other day over that of all, in distances that values come below it. */
const MIN_LOWEST_GAIN = 2;
/** Least number of points of a day. */
const MIN_POINTS = 4;
/** Largest shift of a course, in points, and as a share of the day. */
const MAX_SHIFT = 8;
const MAX_SHIFT_SHARE = 1 / 24;
/** Share of the points, the oddest, that tell whether a larger shift is needed, and the gain beyond the usual that says so. */
const ODD_SHARE = 0.01;
const MIN_GAIN = 1.25;

export const ClockFitSchema = Type.Object(
  {
    /** Points by which a course may come early or late. */
    shift: Type.Integer({ minimum: 0, maximum: MAX_SHIFT }),
    /** Days from one run of a job to the next; absent: 1. */
    everyDays: Type.Optional(Type.Integer({ minimum: 2, maximum: MOST_EVERY })),
  },
  strict,
);
export type ClockFit = Stored<typeof ClockFitSchema>;

/** The clock of a training. */
export interface ClockSample {
  readonly fit: ClockFit;
  /** By interval, of its course at the shift of the fit, see `clockDistances`; NaN = not known. */
  readonly distances: Float64Array;
  /** See `lagsAt`. */
  readonly lagsAt: (i: number) => readonly number[];
  /** Values of the training without gaps, in deviations as they are stored. */
  readonly z: Float64Array;
}

/** Points back to the same local time of earlier days, the nearest day first; empty without days in the step. */
export function lagsAt(i: number, { startAt, intervalMs, offsetAt = () => 0 }: Timeline): readonly number[] {
  const perDay = DAY_MS / intervalMs;
  if (perDay < MIN_POINTS) return [];
  const at = startAt + i * intervalMs;
  const lags: number[] = [];
  for (let day = 1; day <= MAX_DAYS && (day + MAX_SHIFT_SHARE) * perDay + CLOCK_SPAN < MAX_LAG; day++) {
    const before = at - day * DAY_MS;
    lags.push(Math.round((day * DAY_MS + offsetAt(before) - offsetAt(at)) / intervalMs));
  }
  return lags;
}

/** `lagsAt` of the intervals of a timeline: the same list for all where the clock never changes. */
export function lagsIn(timeline: Timeline): (i: number) => readonly number[] {
  if (timeline.offsetAt) return (i) => lagsAt(i, timeline);
  const lags = lagsAt(0, timeline);
  return () => lags;
}

/** A course among those of earlier days. */
export interface Course {
  /** The course, oldest point first, in deviations. */
  readonly course: ArrayLike<number>;
  /** Value so many points earlier, in deviations; NaN = unknown, or part of an anomaly. */
  readonly earlier: (lag: number) => number;
}

/**
 * Least distance of a course from those of earlier days at each shift, root of the mean squared difference, in deviations.
 * @returns by shift from 0 to `most`: of courses that come so early or late; undefined where too few days are known
 */
export function clockDistances(
  lags: readonly number[],
  most: number,
  { course, earlier }: Course,
): Float64Array | undefined {
  const least = new Float64Array(most + 1).fill(Number.POSITIVE_INFINITY);
  const around = new Float64Array(2 * most + CLOCK_SPAN);
  let days = 0;
  for (const lag of lags) {
    if (Number.isNaN(earlier(lag))) continue;
    days++;
    for (let k = 0; k < around.length; k++) around[k] = earlier(lag - most + k);
    for (let shift = -most; shift <= most; shift++) {
      if (lag + shift < CLOCK_SPAN) continue;
      let sum = 0;
      for (let k = 0; k < CLOCK_SPAN; k++) {
        const difference = course[CLOCK_SPAN - 1 - k]! - around[most + shift + k]!;
        sum += difference * difference;
      }
      const place = Math.abs(shift);
      if (sum < least[place]!) least[place] = sum;
    }
  }
  if (days < MIN_DAYS) return undefined;
  for (let shift = 1; shift <= most; shift++) least[shift] = Math.min(least[shift]!, least[shift - 1]!);
  return least.map((sum) => Math.max(DISTANCE_FLOOR, Math.sqrt(sum / CLOCK_SPAN)));
}

/**
 * As `clockDistances` at its largest shift, of courses that differ in the last point alone: a band tries dozens of them.
 * @param before the points before the last one, oldest first, in deviations
 * @returns the distance by the last point; undefined where too few days are known
 */
export function clockDistanceOf(
  lags: readonly number[],
  most: number,
  { before, earlier }: { before: readonly number[]; earlier: Course["earlier"] },
): ((last: number) => number) | undefined {
  const known = lags.filter((lag) => !Number.isNaN(earlier(lag)));
  if (known.length < MIN_DAYS) return undefined;
  const ends: number[] = [];
  // Squares of the points before, by the place of the point: the sums are those of `clockDistances` to the last digit.
  const squares = before.map((): number[] => []);
  for (const lag of known)
    for (let shift = -most; shift <= most; shift++) {
      if (lag + shift < CLOCK_SPAN) continue;
      ends.push(earlier(lag + shift));
      for (let k = 1; k < CLOCK_SPAN; k++)
        squares[k - 1]!.push((before[CLOCK_SPAN - 1 - k]! - earlier(lag + shift + k)) ** 2);
    }
  return (last) => {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < ends.length; j++) {
      let sum = (last - ends[j]!) ** 2;
      for (let k = 0; k < squares.length; k++) sum += squares[k]![j]!;
      if (sum < least) least = sum;
    }
    return Math.max(DISTANCE_FLOOR, Math.sqrt(least / CLOCK_SPAN));
  };
}

/** Largest shift that is tried at a step. */
export function mostShift(intervalMs: number): number {
  return Math.min(MAX_SHIFT, Math.floor((MAX_SHIFT_SHARE * DAY_MS) / intervalMs));
}

/**
 * The least shift at which the oddest courses of a training are hardly odder than at the largest one: of more courses the
 * nearest is nearer in noise, too, which the median one tells.
 * @param distances by point, see `clockDistances`
 */
export function chooseShift(distances: readonly Float64Array[]): number {
  const most = (distances[0]?.length ?? 1) - 1;
  const sorted = Array.from({ length: most + 1 }, (_, shift) =>
    Float64Array.from(distances, (own) => own[shift]!).sort(),
  );
  const [odd, usual] = [sorted.map(meanOfLargest), sorted.map((own) => own[own.length >> 1]!)];
  const gain = (of: readonly number[], shift: number) => of[shift]! / of[most]!;
  return sorted.findIndex((_, shift) => gain(odd, shift) <= MIN_GAIN * gain(usual, shift));
}

function meanOfLargest(sorted: Float64Array): number {
  const count = Math.max(1, Math.round(ODD_SHARE * sorted.length));
  return sorted.subarray(sorted.length - count).reduce((sum, value) => sum + value / count, 0);
}

/**
 * Days from one run to the next, of a job that runs every other day: the lowest values of every other day are far above
 * those of all days, and values hardly come below them.
 * @param z values of a training, in deviations; NaN = not judged
 */
export function chooseEveryDays(
  z: Float64Array,
  { lagsAt, shift, filled }: { lagsAt: ClockSample["lagsAt"]; shift: number; filled: Float64Array },
): number {
  const [gains, below]: [number[], number[]] = [[], []];
  const lowest = lowestAround(filled, shift);
  const all = lowestIn(lowest, { lagsAt });
  const some = lowestIn(lowest, { lagsAt, everyDays: MOST_EVERY });
  for (const [i, value] of z.entries()) {
    if (Number.isNaN(value)) continue;
    const [ofAll, ofSome] = [all(i), some(i)];
    if (ofAll === undefined || ofSome === undefined) continue;
    gains.push(ofSome - ofAll);
    below.push(Math.max(0, ofSome - value));
  }
  const largest = (values: readonly number[]) => meanOfLargest(Float64Array.from(values).sort());
  return gains.length > 0 && largest(gains) > MIN_LOWEST_GAIN * largest(below) ? MOST_EVERY : 1;
}

/**
 * The lowest value of earlier days at the same local time, but for one day, however early or late a course may come.
 * @param earlier value so many points earlier, in deviations; NaN = unknown, or part of an anomaly
 * @returns deviations; undefined where too few days are known
 */
export function lowestOf(
  lags: readonly number[],
  { shift, everyDays = 1 }: ClockFit,
  earlier: (lag: number) => number,
): number | undefined {
  return secondLowest(lags, everyDays, (lag) => {
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = -shift; k <= shift; k++) {
      const value = earlier(lag + k);
      if (value < lowest) lowest = value;
    }
    return lowest;
  });
}

/** As `lowestOf`, of any interval of a training. @param lowestNear see `lowestAround` */
export function lowestIn(
  lowestNear: (i: number) => number,
  { everyDays = 1, lagsAt }: Pick<ClockFit, "everyDays"> & Pick<ClockSample, "lagsAt">,
): (i: number) => number | undefined {
  return (i) => secondLowest(lagsAt(i), everyDays, (lag) => lowestNear(i - lag));
}

/**
 * The lowest value at most `shift` points from an index, looked for once for all later days; infinite without any.
 * @param values NaN = missing
 */
export function lowestAround(values: Float64Array, shift: number): (i: number) => number {
  // A course may end after the first value and begin before it.
  const lowest = new Float64Array(values.length + shift).fill(Number.POSITIVE_INFINITY);
  for (let place = 0; place < lowest.length; place++)
    for (let k = Math.max(0, place - 2 * shift); k <= place; k++)
      if (values[k]! < lowest[place]!) lowest[place] = values[k]!;
  return (i) => lowest[i + shift] ?? Number.POSITIVE_INFINITY;
}

/** The second lowest of some days; undefined of too few. @param around the lowest value around a lag; infinite = not known */
function secondLowest(
  lags: readonly number[],
  everyDays: number,
  around: (lag: number) => number,
): number | undefined {
  let [least, second, days] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let day = everyDays; day <= lags.length; day += everyDays) {
    const lowest = around(lags[day - 1]!);
    if (lowest === Number.POSITIVE_INFINITY) continue;
    days++;
    if (lowest < least) [least, second] = [lowest, least];
    else if (lowest < second) second = lowest;
  }
  return days < MIN_LOWEST_DAYS ? undefined : second;
}
