// Baseline of a series: trend and calendar effects, removed before detection and restored in expectations; pure.
import type { Timeline } from "../detectors/timeline.ts";
import { type Calendar, calendarEffects, fitCalendar } from "./calendar.ts";
import { fitTrend, flatten, followTrend, restore, type Trend, type TrendMemory, trendOf } from "./trend.ts";

export interface Baseline {
  /** Absent without a significant trend. */
  readonly trend?: Trend;
  /** Absent if days do not differ. */
  readonly calendar?: Calendar;
}

/** Removes and restores the baseline of one grid. */
export interface BaselineOfGrid {
  /** @param values from the first interval of the grid on; NaN = missing */
  readonly flatten: (values: Float64Array) => Float64Array;
  /** Inverse of `flatten`. */
  readonly restore: (values: Float64Array) => Float64Array;
}

/** Fits the baseline of a training range. @param column NaN = missing @param weekday see `fitCalendar` */
export function fitBaseline(column: Float64Array, timeline: Timeline, weekday?: boolean): Baseline {
  const trend = fitTrend(column, timeline);
  const flat = baselineOf({ ...(trend && { trend }) }, timeline, column.length).flatten(column);
  const calendar = fitCalendar(flat, timeline, weekday);
  return { ...(trend && { trend }), ...(calendar && { calendar }) };
}

/** The baseline over a grid, its trend extrapolated from the training. */
export function baselineOf(baseline: Baseline, timeline: Timeline, length: number): BaselineOfGrid {
  const { trend } = baseline;
  return combine(baseline, { amounts: trend && trendOf(trend, timeline, length), timeline, length });
}

/** The baseline over a grid, its trend followed. @returns with the memory after the last interval, if there is a trend */
export function followBaseline(
  baseline: Baseline,
  { column, timeline, from }: { column: Float64Array; timeline: Timeline; from: number },
  memory: TrendMemory | undefined,
): BaselineOfGrid & { readonly memory?: TrendMemory } {
  const { trend } = baseline;
  const followed = trend && followTrend(trend, { column, timeline, from }, memory);
  const grid = { amounts: followed?.amounts, timeline, length: column.length };
  return { ...combine(baseline, grid), ...(followed && { memory: followed.memory }) };
}

interface GridOfTrend {
  readonly amounts: Float64Array | undefined;
  readonly timeline: Timeline;
  readonly length: number;
}

function combine({ trend, calendar }: Baseline, { amounts, timeline, length }: GridOfTrend): BaselineOfGrid {
  const effects = calendar && calendarEffects(calendar, timeline, length);
  return {
    flatten: (values) => {
      const flat = trend ? flatten(trend, values, amounts!) : values;
      return effects ? flat.map((value, i) => value - effects[i]!) : flat;
    },
    restore: (values) => {
      const whole = effects ? values.map((value, i) => value + effects[i]!) : values;
      return trend ? restore(trend, whole, amounts!) : whole;
    },
  };
}
