// Floor of a series: its least value, which many points have, as the 0 of counts, and how often they do by the time of day; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS, WEEK_MS } from "../../../core/time/time.ts";
import { positive, positiveShare, type Stored, strict } from "../../stored-schema.ts";
import type { Timeline } from "../timeline.ts";
import { aroundHalfHour, HALF_HOURS, halfHourOf } from "./half-hours.ts";
import { localTimeOf } from "./recurring.ts";
import { findTwoLevels } from "./two-levels.ts";

/** Least number of days. */
const MIN_DAYS = 7;
/** Least and greatest share of the points at the floor: of fewer it is a chance, of more it hardly ever moves. */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.98;
/** Least share and number of points that have the least value itself, which counts and no measurements do. */
const EXACT = { share: 0.002, points: 10 };
/** Distance of the least value from 0, in deviations of the series, from which on all detectors see a 0. */
const MOST_TO_ZERO = 6;
/** Share at the floor from which a series rests at that time: elsewhere it comes and goes in runs. */
const RESTING_SHARE = 0.8;
/** Share of a half hour at most: no point away from the floor is impossible. */
const GREATEST_SHARE = 0.999;
/** Distance from the floor that is none, in deviations of the series. */
const TOLERANCE = 1e-3;
/** Share of the points at a time of day that have a level, from which on it is usual then. */
const USUAL_SHARE = 0.9;
/** Share of the half hours of a day, at least, at which neither level of pulses is usual. */
const LEAST_OPEN = 0.5;
/** Days of a week, and days of a training that each of them is credited with. */
const WEEKDAYS = 7;
const PRIOR_DAYS = 0.25;
/** Most by which a day of the week differs, in log odds, and steps to find it. */
const MAX_ODDS = 8;
const ODDS_STEPS = 20;

export const FloorFitSchema = Type.Object(
  {
    /** In units of the data. */
    value: Type.Number(),
    /** Halfway to the other level of pulses; absent without them. */
    middle: Type.Optional(Type.Number()),
    /** Least value of a training that was never at the floor, which is 0; absent where it was. */
    least: Type.Optional(positive),
    /** Share of the points at the floor by half hour of the local day. */
    shares: Type.Array(positiveShare, { minItems: HALF_HOURS, maxItems: HALF_HOURS }),
    /** By which the log odds of that differ on each day of the local week, from Thursday; absent in a first week. */
    days: Type.Optional(
      Type.Array(Type.Number({ minimum: -MAX_ODDS, maximum: MAX_ODDS }), {
        minItems: WEEKDAYS,
        maxItems: WEEKDAYS,
      }),
    ),
  },
  strict,
);
export type FloorFit = Stored<typeof FloorFitSchema>;

type Level = Pick<FloorFit, "value" | "middle" | "least">;

/** Whether a value is at the floor, or below it. @param deviation of the series */
export function isAtFloor({ value: floor, middle }: Level, value: number, deviation: number): boolean {
  return middle === undefined ? value - floor <= TOLERANCE * deviation : value <= middle;
}

/**
 * @param column NaN = missing
 * @param deviation of the column
 * @returns undefined where the least value is had by few points or nearly all, is no 0 or near one, and there are no
 * pulses; or of few days
 */
export function fitFloor(column: Float64Array, timeline: Timeline, deviation: number): FloorFit | undefined {
  if (column.length * timeline.intervalMs < MIN_DAYS * DAY_MS || !(deviation > 0)) return undefined;
  const sorted = column.filter(Number.isFinite).sort();
  const fit = (level: Level) => fitLevel(level, column, { timeline, deviation });
  const levels = findTwoLevels(sorted);
  const lower =
    levels && fit({ value: levels.lower, middle: levels.lower + (levels.upper - levels.lower) / 2 });
  if (lower && hasPulses(lower)) return lower;
  const floor = floorOf(sorted, deviation);
  return floor && fit(floor);
}

/**
 * The least value where some points have it, else a 0 below it, as of revenue or wind, which an outage comes to.
 * @param sorted ascending
 */
function floorOf(sorted: Float64Array, deviation: number): Level | undefined {
  const value = sorted[0] ?? Number.NaN;
  const share = sorted.filter((own) => isAtFloor({ value }, own, deviation)).length / sorted.length;
  if (share > MOST_SHARE) return undefined;
  const exact = sorted.filter((own) => own === value).length;
  const isExact = exact >= Math.max(EXACT.points, EXACT.share * sorted.length);
  if (share >= LEAST_SHARE || isExact) return { value };
  const isNearZero = value >= 0 && value <= MOST_TO_ZERO * deviation;
  if (!isNearZero) return undefined;
  return isAtFloor({ value: 0 }, value, deviation) ? { value: 0 } : { value: 0, least: value };
}

/**
 * Whether a run at the floor counts: where none was in the training, one has to follow a value that was, within two
 * intervals, as an outage begins within one. What falls evenly, as a temperature, passes 0 by itself.
 * @param before values before the run, the newest last; NaN = missing
 */
export function comesToFloor({ least }: FloorFit, before: Float64Array): boolean {
  return least === undefined || before.subarray(-2).some((value) => value >= least);
}

interface Sampling {
  readonly timeline: Timeline;
  readonly deviation: number;
}

/** How often points are at a level. */
function fitLevel(level: Level, column: Float64Array, { timeline, deviation }: Sampling): FloorFit {
  const [held, known] = [new Float64Array(HALF_HOURS), new Float64Array(HALF_HOURS)];
  for (const [i, own] of column.entries()) {
    if (!Number.isFinite(own)) continue;
    const slot = halfHourOf(i, timeline);
    known[slot]!++;
    if (isAtFloor(level, own, deviation)) held[slot]!++;
  }
  const near = (counts: Float64Array, halfHour: number) =>
    aroundHalfHour(counts, halfHour).reduce((sum, count) => sum + count, 0);
  // One point more at the floor, and one above it: of few days a share of 0 is not known.
  const shares = Array.from(held, (_, slot) => (near(held, slot) + 1) / (near(known, slot) + 2));
  const floor = {
    ...level,
    shares: shares.map((own) => Math.min(GREATEST_SHARE, Number(own.toPrecision(3)))),
  };
  if (column.length * timeline.intervalMs < 2 * WEEK_MS) return floor;
  return { ...floor, days: fitDays(floor, column, { timeline, deviation }) };
}

/** Whether a series goes from one of two levels to the other at any time of the day, as a compressor does. */
export function hasPulses({ middle, shares }: FloorFit): boolean {
  const open = shares.filter((share) => Math.max(share, 1 - share) < USUAL_SHARE).length;
  return middle !== undefined && open >= LEAST_OPEN * shares.length;
}

/** Whether a level is the usual one at its time of day. */
export function isUsualAt(floor: FloorFit, i: number, at: { timeline: Timeline; atFloor: boolean }): boolean {
  return floorDecades(floor, i, at) <= -Math.log10(USUAL_SHARE);
}

/** How rare it is that a point is at the floor, or away from it, decades; away from it 0 where a series does not rest. */
export function floorDecades(
  { shares, days, middle }: FloorFit,
  i: number,
  { timeline, atFloor }: { timeline: Timeline; atFloor: boolean },
): number {
  const usual = shares[halfHourOf(i, timeline)]!;
  const share = days ? shiftOdds(usual, days[weekdayOf(i, timeline)]!) : usual;
  if (atFloor) return -Math.log10(share);
  return share < RESTING_SHARE && middle === undefined ? 0 : -Math.log10(1 - share);
}

/** By how much each day of the week differs, as one on which nothing is sold: as many points are at the floor as were. */
function fitDays(floor: FloorFit, column: Float64Array, { timeline, deviation }: Sampling): number[] {
  const known = new Float64Array(WEEKDAYS * HALF_HOURS);
  const held = new Float64Array(WEEKDAYS);
  for (const [i, own] of column.entries()) {
    if (!Number.isFinite(own)) continue;
    const day = weekdayOf(i, timeline);
    known[day * HALF_HOURS + halfHourOf(i, timeline)]!++;
    if (isAtFloor(floor, own, deviation)) held[day]!++;
  }
  const weeks = (column.length * timeline.intervalMs) / WEEK_MS;
  return Array.from(held, (own, day) => {
    const pointsAt = (slot: number) => known[day * HALF_HOURS + slot]!;
    const expectedAt = (odds: number) =>
      floor.shares.reduce((sum, share, slot) => sum + pointsAt(slot) * shiftOdds(share, odds), 0);
    const sought = (own * weeks + expectedAt(0) * PRIOR_DAYS) / (weeks + PRIOR_DAYS);
    let [least, most] = [-MAX_ODDS, MAX_ODDS];
    for (let k = 0; k < ODDS_STEPS; k++) {
      const middle = (least + most) / 2;
      if (expectedAt(middle) < sought) least = middle;
      else most = middle;
    }
    // Without the sign of 0, which JSON drops.
    return Number(least.toFixed(2)) + 0;
  });
}

function shiftOdds(share: number, odds: number): number {
  return share / (share + (1 - share) * Math.exp(-odds));
}

/** Day of the local week, from 0 = Thursday. */
function weekdayOf(i: number, timeline: Timeline): number {
  return Math.floor(localTimeOf(timeline, i).ofWeek / DAY_MS);
}
