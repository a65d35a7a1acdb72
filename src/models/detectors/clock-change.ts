// Clock change in the past of a range: the values before it are laid out by local time, as windows hold the course of days; pure.
import { HOUR_MS } from "../../core/time/time.ts";
import type { Timeline } from "./timeline.ts";

/** A range and its past on one clock. */
export interface LocalLayout {
  /** With the offset of the range for all its past. */
  readonly timeline: Timeline;
  /**
   * Lays out values of the past, NaN = missing: an hour that the clock skipped is missing, one that it repeats has the
   * values of its second time, and the oldest hour of the past is missing.
   */
  readonly layOut: (column: Float64Array) => Float64Array;
}

/**
 * Layout of a timeline by the clock at an interval; as it is without a time zone, and of intervals that changes of the
 * clock do not move by whole ones.
 * @param from first interval of the range, see `nextClockChange`; those before it are its past
 */
export function layOutByClock(timeline: Timeline, from: number): LocalLayout {
  if (!followsClock(timeline)) return { timeline, layOut: (column) => column };
  const { startAt, intervalMs, offsetAt } = timeline;
  const offset = offsetAt(startAt + from * intervalMs);
  const shiftAt = (at: number) => offsetAt(at) - offset;
  return {
    timeline: { ...timeline, offsetAt: () => offset, shiftAt },
    layOut: (column) => {
      if (shiftAt(startAt) === 0) return column;
      const laid = column.slice();
      laid.fill(Number.NaN, 0, from);
      for (let i = 0; i < from; i++) {
        const place = i + Math.round(shiftAt(startAt + i * intervalMs) / intervalMs);
        if (place >= 0 && place < from) laid[place] = column[i]!;
      }
      return laid;
    },
  };
}

/** First interval after `from`, and before `to`, at which the clock has changed; undefined where it does not. */
export function nextClockChange(timeline: Timeline, from: number, to: number): number | undefined {
  if (!followsClock(timeline)) return undefined;
  const { startAt, intervalMs, offsetAt } = timeline;
  const offset = offsetAt(startAt + from * intervalMs);
  for (let i = from + 1; i < to; i++) if (offsetAt(startAt + i * intervalMs) !== offset) return i;
  return undefined;
}

type ClockTimeline = Timeline & { readonly offsetAt: NonNullable<Timeline["offsetAt"]> };

function followsClock(timeline: Timeline): timeline is ClockTimeline {
  return timeline.offsetAt !== undefined && HOUR_MS % timeline.intervalMs === 0;
}
