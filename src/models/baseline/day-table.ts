// Table of a series by local day and slot of the day, and usual values of some of its days; pure.
import { DAY_MS } from "../../core/time/time.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { medianOf } from "../stats/median.ts";
import { dayOf, localTimeAt } from "./local-day.ts";

/** Slots on either side that a usual value is taken from as well. */
const NEIGHBOUR_SLOTS = 1;

/** One local day. */
export interface DayRow {
  /** Days since the epoch. */
  readonly day: number;
  readonly isHoliday: boolean;
  /** Mean of the values by slot; NaN = none. */
  readonly values: Float64Array;
}

/** Days by date; days without a value are left out. */
export type DayTable = readonly DayRow[];

/** @param maxSlots slots of a day, unless the intervals are longer */
export function tableOf(column: Float64Array, timeline: Timeline, maxSlots: number): DayTable {
  const { startAt, intervalMs, offsetAt, isHoliday } = timeline;
  const slots = Math.max(1, Math.min(maxSlots, Math.round(DAY_MS / intervalMs)));
  const sums = new Map<number, { values: Float64Array; counts: Uint32Array }>();
  let last: { readonly day: number; readonly values: Float64Array; readonly counts: Uint32Array } | undefined;
  for (const [i, value] of column.entries()) {
    if (!Number.isFinite(value)) continue;
    const local = localTimeAt(startAt + i * intervalMs, offsetAt);
    const day = dayOf(local);
    // Values of a day follow each other.
    if (last?.day !== day) {
      const row = sums.get(day) ?? { values: new Float64Array(slots), counts: new Uint32Array(slots) };
      sums.set(day, row);
      last = { day, ...row };
    }
    const slot = slotOf(local, slots);
    last.values[slot]! += value;
    last.counts[slot]!++;
  }
  return [...sums].map(([day, { values, counts }]) => ({
    day,
    isHoliday: isHoliday?.(day) ?? false,
    values: values.map((sum, slot) => sum / counts[slot]!),
  }));
}

/** Slot of a local time. */
export function slotOf(local: number, slots: number): number {
  return Math.floor(((local - dayOf(local) * DAY_MS) / DAY_MS) * slots);
}

/** Median by slot and its neighbours over some days; NaN where they have no value. */
export function usualDay(days: DayTable, slots: number): Float64Array {
  return Float64Array.from({ length: slots }, (_, slot) => {
    const near: number[] = [];
    for (let k = -NEIGHBOUR_SLOTS; k <= NEIGHBOUR_SLOTS; k++)
      for (const { values } of days) {
        const value = values[(slot + k + slots) % slots]!;
        if (Number.isFinite(value)) near.push(value);
      }
    return near.length > 0 ? medianOf(near) : Number.NaN;
  });
}
