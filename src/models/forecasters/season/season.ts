// Seasons of a grid, daily and weekly, in its intervals; pure.
import { Type } from "@sinclair/typebox";
import { type Stored, strict } from "../../stored-schema.ts";
import { calendarCycles, MIN_CYCLES, MIN_LENGTH } from "./cycles.ts";

/** Above a week of seconds. */
const MAX_SEASON_LENGTH = 700_000;
/** Bounds of the span of the level, in intervals. */
const LEVEL_SPAN = { min: 8, max: 1440 };

const seasonLength = Type.Number({
  minimum: MIN_LENGTH,
  maximum: MAX_SEASON_LENGTH,
  rule: `must be from ${MIN_LENGTH} to ${MAX_SEASON_LENGTH} intervals`,
});

/** Lengths of the seasons in intervals, fractions included; absent where the grid cannot show the season. */
export const SeasonsSchema = Type.Object(
  { day: Type.Optional(seasonLength), week: Type.Optional(seasonLength) },
  strict,
);
export type Seasons = Stored<typeof SeasonsSchema>;

/**
 * Seasons that `points` intervals of history can show.
 * @param intervalMs length of one interval
 */
export function seasonsOf(intervalMs: number, points: number): Seasons {
  const { day, week } = calendarCycles(intervalMs);
  const isSeen = (length: number | undefined) => length !== undefined && points >= MIN_CYCLES * length;
  return { ...(isSeen(day) && { day: day! }), ...(isSeen(week) && { week: week! }) };
}

/** Span over which the present level is measured, in intervals: the shortest season. */
export function levelSpanOf(intervalMs: number): number {
  const { day, week } = seasonsOf(intervalMs, Number.POSITIVE_INFINITY);
  return Math.min(LEVEL_SPAN.max, Math.max(LEVEL_SPAN.min, Math.round(day ?? week ?? LEVEL_SPAN.min)));
}
