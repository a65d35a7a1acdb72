// Local days: the days of instants that are at one time of day by the clock of a time zone, and that time; pure.
import { instantOf, localDayOf, type OffsetAt, utc } from "../calendar/wall-time.ts";
import { DAY_MS, HOUR_MS } from "../time/time.ts";

/** Days by the clock are longer. */
const MIN_DAY_MS = 20 * HOUR_MS;

/**
 * The local day of each instant, in days since the epoch; undefined unless all are at one local time. Where a clock
 * change skips that time, the instant is the one that takes its place.
 * @param instants ascending, ms
 */
export function findLocalDays(instants: readonly number[], offsetAt: OffsetAt = utc): number[] | undefined {
  // Offsets are looked up for points a day apart only: those of a fine series cost more than all else.
  if (instants.some((at, i) => i > 0 && at - instants[i - 1]! < MIN_DAY_MS)) return undefined;
  const times = instants.map((at) => timeOfDay(at, offsetAt));
  // What takes the place of a skipped time is later than it.
  const time = Math.min(...times);
  const days = instants.map((at) => localDayOf(at, offsetAt));
  const isCommon = days.every(
    (day, i) => times[i] === time || instantOf(day * DAY_MS + time, offsetAt) === instants[i],
  );
  return isCommon ? days : undefined;
}

/** Whether all instants are midnights of UTC: dates without a time, which a time zone must not move to other days. */
export function areDates(instants: readonly number[]): boolean {
  return instants.every((at) => at % DAY_MS === 0);
}

/** The instant at the local time of another one, on a day that `move` derives from its local day. */
export function instantOnDay(at: number, move: (day: number) => number, offsetAt: OffsetAt): number {
  const day = localDayOf(at, offsetAt);
  return instantOf(move(day) * DAY_MS + timeOfDay(at, offsetAt), offsetAt);
}

/** Local time since midnight, ms. */
function timeOfDay(at: number, offsetAt: OffsetAt): number {
  return at + offsetAt(at) - localDayOf(at, offsetAt) * DAY_MS;
}
