// Choice of the season of a training: a day, or a week where that predicts the end of the range better; pure.
import { upperMedianOf } from "../../stats/median.ts";
import type { Timeline } from "../timeline.ts";
import { fitProfile, holdsSeason, Seasonal } from "./seasonal.ts";
import type { Season } from "./slots.ts";

/** Share of the range that the seasonal profile is fitted to when its error is measured on the rest. */
const SEASONAL_FIT_SHARE = 0.6;

interface SeasonInput {
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly timeline: Timeline;
  /** Whether the season is a week; absent: chosen by the data. */
  readonly weekday?: boolean | undefined;
}

/** The season whose profile predicts the end of the range best, among those that range and settings allow. */
export function chooseSeason({ column, timeline, weekday }: SeasonInput): Season {
  const known = Math.floor(column.length * SEASONAL_FIT_SHARE);
  if (weekday === false || !holdsSeason(column.length, timeline.intervalMs, 7)) return 1;
  if (weekday || !holdsSeason(known, timeline.intervalMs, 7)) return weekday ? 7 : 1;
  return seasonalError(column, timeline, 7) < seasonalError(column, timeline, 1) ? 7 : 1;
}

function seasonalError(column: Float64Array, timeline: Timeline, season: Season): number {
  const cut = Math.max(1, Math.floor(column.length * SEASONAL_FIT_SHARE));
  const usual = new Seasonal(fitProfile(column.subarray(0, cut), timeline, { days: season }), timeline);
  return upperMedianOf(column.map((value, i) => (i < cut ? Number.NaN : Math.abs(value - usual.expect(i)))));
}
