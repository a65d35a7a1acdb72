// Usual values at the times of the week at which something recurs, as of a weekly backup: none at other times; pure.
import { Type } from "@sinclair/typebox";
import { WEEK_MS } from "../../../core/time/time.ts";
import { medianOf } from "../../stats/median.ts";
import { type Stored, strict } from "../../stored-schema.ts";
import type { Timeline } from "../timeline.ts";
import { isRecurringWeekTime, JITTER_MS, localTimeOf } from "./recurring.ts";

/** Most times of a week. */
const MAX_USUAL = 2000;
/** Least number of weeks that a value is compared with. */
const MIN_WEEKS = 2;

export const WeeklyFitSchema = Type.Object(
  {
    /** [ms since the start of the local week, value in units of the data]. */
    usual: Type.Array(Type.Tuple([Type.Number({ minimum: 0, maximum: WEEK_MS }), Type.Number()]), {
      maxItems: MAX_USUAL,
    }),
  },
  strict,
);
export type WeeklyFit = Stored<typeof WeeklyFitSchema>;

/** Usual values around a time: what recurs may come some minutes early or late. */
export interface UsualRange {
  readonly expected: number;
  readonly least: number;
  readonly greatest: number;
}

/** Distance of a value from the usual ones, in units of the data. */
export function distanceFrom({ least, greatest }: UsualRange, value: number): number {
  return Math.max(0, least - value, value - greatest);
}

/** Looks up usual values by the time of the week. */
export class Weekly {
  readonly #bySlot: ReadonlyMap<number, number>;

  constructor(
    { usual }: WeeklyFit,
    private readonly timeline: Timeline,
  ) {
    this.#bySlot = new Map(usual.map(([time, value]) => [slotOfTime(time, timeline), value]));
  }

  /** Undefined at a time of the week at which nothing recurs. */
  rangeAt(i: number): UsualRange | undefined {
    return rangeAround(i, this.timeline, (slot) => this.#bySlot.get(slot));
  }
}

/** A fit, and how far each value of the training is from those of the other weeks; NaN at other times. */
export interface WeeklySample {
  readonly fit: WeeklyFit;
  /** In units of the data. */
  readonly distances: Float64Array;
  readonly expected: Float64Array;
  /** Between the least and the greatest of the usual values. */
  readonly spread: number;
}

/**
 * Fits medians of the weeks at those times.
 * @param column NaN = missing
 * @param weekTimes see `findWeekTimes`
 * @returns undefined where too few weeks are known
 */
export function fitWeekly(
  column: Float64Array,
  timeline: Timeline,
  weekTimes: readonly number[],
): WeeklySample | undefined {
  const weekOf = (i: number) => Math.floor((i * timeline.intervalMs) / WEEK_MS);
  const places = [...column.keys()].filter(
    (i) => Number.isFinite(column[i]!) && isRecurringWeekTime(weekTimes, localTimeOf(timeline, i)),
  );
  const bySlot = Map.groupBy(places, (i) => slotOf(i, timeline));
  const medianBut = (slot: number, week?: number) => {
    const others = bySlot.get(slot)?.filter((i) => weekOf(i) !== week) ?? [];
    return others.length < MIN_WEEKS ? undefined : medianOf(others.map((i) => column[i]!));
  };
  const usual = [...bySlot.keys()].flatMap((slot): WeeklyFit["usual"] => {
    const value = medianBut(slot);
    return value === undefined ? [] : [[slot * timeline.intervalMs, value]];
  });
  if (usual.length === 0) return undefined;
  const ranges = new Map(
    places.map((i) => [i, rangeAround(i, timeline, (slot) => medianBut(slot, weekOf(i)))] as const),
  );
  const values = usual.map(([, value]) => value);
  return {
    fit: { usual: usual.slice(0, MAX_USUAL) },
    distances: column.map((value, i) => {
      const range = ranges.get(i);
      return range ? distanceFrom(range, value) : Number.NaN;
    }),
    expected: column.map((_, i) => ranges.get(i)?.expected ?? Number.NaN),
    spread: Math.max(...values) - Math.min(...values),
  };
}

/** Usual values within the jitter of an interval; undefined where none is known at the interval itself. */
function rangeAround(
  i: number,
  timeline: Timeline,
  usualAt: (slot: number) => number | undefined,
): UsualRange | undefined {
  const own = slotOf(i, timeline);
  const expected = usualAt(own);
  if (expected === undefined) return undefined;
  const [jitter, slots] = [Math.floor(JITTER_MS / timeline.intervalMs), slotsOf(timeline)];
  let [least, greatest] = [expected, expected];
  for (let k = -jitter; k <= jitter; k++) {
    const value = usualAt((own + k + slots) % slots) ?? expected;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return { expected, least, greatest };
}

/** Intervals of a week. */
function slotsOf({ intervalMs }: Timeline): number {
  return Math.round(WEEK_MS / intervalMs);
}

function slotOf(i: number, timeline: Timeline): number {
  return slotOfTime(localTimeOf(timeline, i).ofWeek, timeline);
}

/** @param time ms since the start of a week */
function slotOfTime(time: number, timeline: Timeline): number {
  return Math.round(time / timeline.intervalMs) % slotsOf(timeline);
}
