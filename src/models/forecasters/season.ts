// The seasons that a grid can show: days and weeks, counted in its intervals; pure.

import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../detectors/timeline.ts";
import { type Stored, strict } from "../stored-schema.ts";

const DAYS_OF_WEEK = 7;
/** A season of fewer intervals than this has no shape. */
const MIN_SEASON_LENGTH = 2;
/** Above a week of seconds. */
const MAX_SEASON_LENGTH = 700_000;
/** A season is believed from twice its length on: once to see it, once to see it come back. */
const MIN_CYCLES = 2;
/** How far back the level is taken from at least and at most, in intervals. */
const LEVEL_SPAN = { min: 8, max: 1440 };

const seasonLength = Type.Number({
  minimum: MIN_SEASON_LENGTH,
  maximum: MAX_SEASON_LENGTH,
  rule: `must be from ${MIN_SEASON_LENGTH} to ${MAX_SEASON_LENGTH} intervals`,
});

/** Lengths of the seasons in intervals, fractions included; absent where the grid cannot show the season. */
export const SeasonsSchema = Type.Object(
  { day: Type.Optional(seasonLength), week: Type.Optional(seasonLength) },
  strict,
);
export type Seasons = Stored<typeof SeasonsSchema>;

/**
 * Seasons of a grid that has `points` intervals of history.
 * @param intervalMs length of one interval
 */
export function seasonsOf(intervalMs: number, points: number): Seasons {
  const day = DAY_MS / intervalMs;
  const week = DAYS_OF_WEEK * day;
  const isSeen = (length: number) => length >= MIN_SEASON_LENGTH && points >= MIN_CYCLES * length;
  return { ...(isSeen(day) && { day }), ...(isSeen(week) && { week }) };
}

/** Intervals over which the present level is taken: the shortest season, so that every hour of it counts alike. */
export function levelSpanOf(intervalMs: number): number {
  const { day, week } = seasonsOf(intervalMs, Number.POSITIVE_INFINITY);
  return Math.min(LEVEL_SPAN.max, Math.max(LEVEL_SPAN.min, Math.round(day ?? week ?? LEVEL_SPAN.min)));
}
