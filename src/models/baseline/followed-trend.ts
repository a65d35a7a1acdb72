// Followed trend: level and slope learn slowly from the days after the training, but not from steps of the level; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { LONGEST_OF_DAY_MS, type Timeline } from "../detectors/timeline.ts";
import {
  levelAt,
  MIN_OBSERVED,
  type Segment,
  startOfDay,
  type Trend,
  toAmount,
  transform,
  WEEK,
} from "./trend.ts";

/** Smoothing of level and slope per day (Holt 1957), and the bound of an innovation: in deviations, or in days of the slope. */
const LEVEL_SHARE = 0.25;
const SLOPE_SHARE = 0.02;
const MAX_INNOVATION = 6;
/** Days before the last one that stay known, unless the history of windows has more. */
const KNOWN_DAYS = 40;

/** A segment of a followed trend. */
interface FollowedSegment extends Segment {
  /** What the level moves in the first day beside the slope, evenly; absent: nothing. */
  readonly correction?: number;
}

/** State of a followed trend; JSON. */
export interface TrendMemory {
  /** By start; the last one is in force. */
  readonly segments: readonly FollowedSegment[];
  /** The day in progress: start in ms, sum and number of its deviations. */
  readonly day: { readonly fromAt: number; readonly sum: number; readonly count: number };
}

/** Steps of the level, which are followed beside the trend, one interval after the other. */
export interface StepsBeside {
  /**
   * Takes the next interval.
   * @param amount of the trend then, see `trendOf`
   * @returns its value as if there had been no step, and whether a step became known with it
   */
  readonly next: (i: number, amount: number) => { readonly value: number; readonly isStep: boolean };
  /** Whether the newest values are off, and may turn out to be a step. */
  readonly areInDoubt: () => boolean;
}

interface FollowedGrid {
  readonly column: Float64Array;
  readonly timeline: Timeline;
  /** First interval that is new; those before it are known to the memory. */
  readonly from: number;
  /** Absent: there are none. */
  readonly steps?: StepsBeside | undefined;
}

/**
 * Follows the trend over a grid. A day that ends in what may be a step, and one in which a step became known, say nothing
 * of the trend: it would move to the new level as well.
 * @returns its amounts per interval as `trendOf`, and the memory after the last one
 */
export function followTrend(
  trend: Trend,
  { column, timeline, from, steps }: FollowedGrid,
  memory: TrendMemory | undefined,
): { amounts: Float64Array; memory: TrendMemory } {
  const { startAt, intervalMs, offsetAt } = timeline;
  const startOf = (at: number) => startOfDay(at, offsetAt);
  const { fromAt, level: first, slope } = trend;
  const segments = [...(memory?.segments ?? [{ fromAt, level: first, slope }])];
  let day = memory?.day ?? { fromAt: startOf(startAt + from * intervalMs), sum: 0, count: 0 };
  const most = Math.max(KNOWN_DAYS, 1 + Math.ceil((from * Math.min(intervalMs, DAY_MS)) / DAY_MS));
  const bound = MAX_INNOVATION * Math.max(trend.spread, Math.abs(trend.slope));
  const amounts = new Float64Array(column.length);
  for (let i = 0; i < column.length; i++) {
    const at = startAt + i * intervalMs;
    if (i >= from && startOf(at) !== day.fromAt) {
      if (day.count * intervalMs >= MIN_OBSERVED * DAY_MS && !steps?.areInDoubt())
        segments.push(advance(segments.at(-1)!, clip(day.sum / day.count, bound), { at, intervalMs }));
      if (segments.length > most) segments.shift();
      day = { fromAt: startOf(at), sum: 0, count: 0 };
    }
    const segment = segments.findLast(({ fromAt }) => fromAt <= at) ?? segments[0]!;
    const level = followedLevelAt(segment, at);
    amounts[i] = toAmount(trend, level);
    if (i < from) continue;
    const { value, isStep } = steps?.next(i, amounts[i]!) ?? { value: column[i]!, isStep: false };
    if (isStep) day = { ...day, sum: 0, count: 0 };
    if (!Number.isFinite(value)) continue;
    const deviation = deviationOf(trend, value, { level, day: day.fromAt });
    day = { ...day, sum: day.sum + deviation, count: day.count + 1 };
  }
  return { amounts, memory: { segments, day } };
}

function followedLevelAt({ correction = 0, ...segment }: FollowedSegment, at: number): number {
  const days = (at - segment.fromAt) / DAY_MS;
  return levelAt(segment, at) + correction * Math.max(0, Math.min(1, days));
}

/** Deviation of a value from the mean of its day. */
function deviationOf(
  { kind, center, weekdays }: Trend,
  value: number,
  { level, day }: { level: number; day: number },
): number {
  return transform(kind, value) - level - center - weekdays[Math.round(day / DAY_MS) % WEEK]!;
}

/**
 * The line from a new day on: moved towards the day before it. Within a day it has no steps, as a series that grows
 * evenly would have one at each midnight.
 */
function advance(
  segment: FollowedSegment,
  innovation: number,
  { at, intervalMs }: { readonly at: number; readonly intervalMs: number },
): FollowedSegment {
  const level = followedLevelAt(segment, at);
  const slope = segment.slope + SLOPE_SHARE * innovation;
  const correction = LEVEL_SHARE * innovation;
  if (intervalMs > LONGEST_OF_DAY_MS) return { fromAt: at, level: level + correction, slope };
  return { fromAt: at, level, slope, correction };
}

function clip(value: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, value));
}
