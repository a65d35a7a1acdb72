// Half hours of the local day, and those around one, which it learns from as well; pure.
import { DAY_MS } from "../../../core/time/time.ts";
import type { Timeline } from "../timeline.ts";
import { localTimeOf } from "./recurring.ts";

export const HALF_HOURS = 48;
/** Half hours on either side. */
const REACH = 1;

/** The half hour of an interval, from 0. */
export function halfHourOf(i: number, timeline: Timeline): number {
  return Math.floor((localTimeOf(timeline, i).ofDay / DAY_MS) * HALF_HOURS) % HALF_HOURS;
}

/** Of what each half hour has, that of one and of those around it. */
export function aroundHalfHour<T>(byHalfHour: ArrayLike<T>, halfHour: number): T[] {
  return Array.from(
    { length: 2 * REACH + 1 },
    (_, k) => byHalfHour[(halfHour + k - REACH + HALF_HOURS) % HALF_HOURS]!,
  );
}
