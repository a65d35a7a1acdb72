// Baseline of a series: trend, calendar and level, removed before detection and restored in expectations; pure.
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { type Calendar, calendarEffects, fitCalendar } from "./calendar.ts";
import { followTrend, type StepsBeside, type TrendMemory } from "./followed-trend.ts";
import { LevelFollower, type LevelInput, type LevelMemory } from "./level.ts";
import { fitTrend, flatten, restore, type Trend, trendOf } from "./trend.ts";

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
  const { trend, calendar } = baseline;
  return combine(baseline, {
    amounts: trend && trendOf(trend, timeline, length),
    effects: calendar && calendarEffects(calendar, timeline, length),
  });
}

/** State of a followed baseline; JSON. */
export interface BaselineMemory {
  /** Absent without a trend. */
  readonly trend?: TrendMemory | undefined;
  readonly level?: LevelMemory | undefined;
}

interface FollowInput {
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly timeline: Timeline;
  /** First interval that is new; those before it are known to the memory. */
  readonly from: number;
  /** Usual values of the training without trend and calendar, from which steps are measured; absent: none are. */
  readonly usual?: Pick<LevelInput, "usualAt" | "scale"> | undefined;
  readonly changes?: LevelInput["changes"];
  readonly sides?: LevelInput["sides"];
}

/** The baseline over a grid, its trend and level followed. */
export function followBaseline(
  baseline: Baseline,
  { column, timeline, from, usual, changes, sides }: FollowInput,
  memory: BaselineMemory | undefined,
): BaselineOfGrid & {
  readonly memory: BaselineMemory;
  readonly shifts: readonly Omit<LevelShift, "feature">[];
} {
  const { length } = column;
  const level =
    usual && new LevelFollower({ ...usual, timeline, length, from, changes, sides }, memory?.level);
  const effects = baseline.calendar && calendarEffects(baseline.calendar, timeline, length);
  const steps = level && stepsBeside(level, baseline.trend, { column, effects });
  const trend =
    baseline.trend && followTrend(baseline.trend, { column, timeline, from, steps }, memory?.trend);
  if (!trend) for (let i = from; i < length; i++) steps?.next(i, 0);
  const steady = combine(baseline, { amounts: trend?.amounts, effects });
  if (!level) return { ...steady, memory: { trend: trend?.memory }, shifts: [] };
  const valueAt = (i: number, offset: number) => {
    const values = new Float64Array(length).fill(usual.usualAt(i) + offset);
    return steady.restore(values)[i]!;
  };
  return {
    flatten: (values) => steady.flatten(values).map((value, i) => value - level.offsets[i]!),
    restore: (values) => steady.restore(values.map((value, i) => value + level.offsets[i]!)),
    memory: { trend: trend?.memory, level: level.memory },
    shifts: level.shifts.map(({ index, sinceAt, ...step }) => ({
      at: timeline.startAt + index * timeline.intervalMs,
      sinceAt,
      from: valueAt(index, step.from),
      to: valueAt(index, step.to),
    })),
  };
}

/** The steps of a level, as the trend beside it sees them. */
function stepsBeside(
  level: LevelFollower,
  trend: Trend | undefined,
  { column, effects }: { column: Float64Array; effects: Float64Array | undefined },
): StepsBeside {
  const isFactor = trend?.kind === "multiplicative";
  return {
    next: (i, amount) => {
      const value = column[i]!;
      const flat = isFactor ? value / amount : value - amount;
      const before = level.ofSteps;
      level.step(i, flat - (effects?.[i] ?? 0));
      const { ofSteps } = level;
      return { value: value - ofSteps * (isFactor ? amount : 1), isStep: ofSteps !== before };
    },
    areInDoubt: () => level.isInDoubt,
  };
}

interface Amounts {
  /** Of the trend, see `trendOf`. */
  readonly amounts: Float64Array | undefined;
  /** See `calendarEffects`. */
  readonly effects: Float64Array | undefined;
}

function combine({ trend }: Baseline, { amounts, effects }: Amounts): BaselineOfGrid {
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
