// Floor of a series: its least value, which many points have, as the 0 of counts, and how often they do by the time of day; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../../core/time/time.ts";
import { positiveShare, type Stored, strict } from "../../stored-schema.ts";
import type { Timeline } from "../timeline.ts";
import { aroundHalfHour, HALF_HOURS, halfHourOf } from "./half-hours.ts";

/** Least number of days. */
const MIN_DAYS = 7;
/** Least and greatest share of the points at the floor: of fewer it is a chance, of more its end is what is odd. */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.9;
/** Distance from the floor that is none, in deviations of the series. */
const TOLERANCE = 1e-3;

export const FloorFitSchema = Type.Object(
  {
    /** In units of the data. */
    value: Type.Number(),
    /** Share of the points at the floor by half hour of the local day. */
    shares: Type.Array(positiveShare, { minItems: HALF_HOURS, maxItems: HALF_HOURS }),
  },
  strict,
);
export type FloorFit = Stored<typeof FloorFitSchema>;

/** Whether a value is at the floor. @param deviation of the series */
export function isAtFloor(
  { value: floor }: Pick<FloorFit, "value">,
  value: number,
  deviation: number,
): boolean {
  return Math.abs(value - floor) <= TOLERANCE * deviation;
}

/**
 * @param column NaN = missing
 * @param deviation of the column
 * @returns undefined where the least value is had by few points or nearly all, or too few days are known
 */
export function fitFloor(column: Float64Array, timeline: Timeline, deviation: number): FloorFit | undefined {
  if (column.length * timeline.intervalMs < MIN_DAYS * DAY_MS || !(deviation > 0)) return undefined;
  const present = column.filter(Number.isFinite);
  const value = present.reduce((least, own) => Math.min(least, own), Number.POSITIVE_INFINITY);
  const share = present.filter((own) => isAtFloor({ value }, own, deviation)).length / present.length;
  if (!(share >= LEAST_SHARE && share <= MOST_SHARE)) return undefined;
  const [held, known] = [new Float64Array(HALF_HOURS), new Float64Array(HALF_HOURS)];
  for (const [i, own] of column.entries()) {
    if (!Number.isFinite(own)) continue;
    const slot = halfHourOf(i, timeline);
    known[slot]!++;
    if (isAtFloor({ value }, own, deviation)) held[slot]!++;
  }
  const near = (counts: Float64Array, halfHour: number) =>
    aroundHalfHour(counts, halfHour).reduce((sum, count) => sum + count, 0);
  // One point more at the floor, and one above it: of few days a share of 0 is not known.
  const shares = Array.from(held, (_, slot) => (near(held, slot) + 1) / (near(known, slot) + 2));
  return { value, shares: shares.map((own) => Number(own.toPrecision(3))) };
}

/** How rare it is that a point is at the floor, decades. */
export function floorDecades({ shares }: FloorFit, i: number, timeline: Timeline): number {
  return -Math.log10(shares[halfHourOf(i, timeline)]!);
}
