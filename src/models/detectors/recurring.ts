// Recurring events of a training: rare points at the same time on most days, as a job that begins each night; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { localTimeAt } from "../baseline/local-day.ts";
import type { Timeline } from "./timeline.ts";

/** Points between two rare ones that are one event. */
const EVENT_GAP = 10;
/** Events looked at for each day, the rarest first. */
const EVENTS_PER_DAY = 6;
/** Time by which an event may come early or late, ms. */
const JITTER_MS = 600_000;
/** Share of the days that hold an event at its time, and the least number of days of a training. */
const DAYS_SHARE = 0.5;
const MIN_DAYS = 5;
/** Least number of events that tell how often such recur; doubled for each further entry of the list, and its length. */
const LEAST_EVENTS = 3;
export const MAX_ENTRIES = 8;
/** Points before and after, within which the windows of the event are odd, and the number of times kept. */
const EDGE_POINTS = 3;
export const MAX_TIMES = 48;

export interface Recurring {
  /** [mean, decades]: events of at least such a mean rarity recur, one in so many points; the rarest first. */
  readonly known: readonly (readonly [mean: number, decades: number])[];
  /** Local times of day at which they do, ms since midnight. */
  readonly times: readonly number[];
}

export interface Means {
  /** Mean rarities, decades, in order of time. */
  readonly means: Float64Array;
  /** Interval of each, in points since the start of the training. */
  readonly at: Int32Array;
  readonly timeline: Timeline;
}

/** Whether a time of day is one of those, or so near that the event may begin or end there. @param time ms since midnight */
export function isRecurringTime(times: readonly number[], time: number, intervalMs: number): boolean {
  const near = JITTER_MS + EDGE_POINTS * intervalMs;
  return times.some((own) => Math.abs(offDays(time - own, DAY_MS)) <= near);
}

/** Undefined where nothing recurs. */
export function findRecurring({ means, at, timeline }: Means): Recurring | undefined {
  const { intervalMs } = timeline;
  const perDay = DAY_MS / intervalMs;
  const days = means.length / perDay;
  if (days < MIN_DAYS) return undefined;
  const events = rarestEvents(means, Math.floor(EVENTS_PER_DAY * days));
  const jitter = JITTER_MS / intervalMs;
  const recurs = (i: number) => {
    const others = events.filter((j) => Math.abs(offDays(at[i]! - at[j]!, perDay)) <= jitter);
    return new Set(others.map((j) => Math.floor(at[j]! / perDay))).size >= DAYS_SHARE * days;
  };
  const recurring = events.filter(recurs);
  const entries: [number, number][] = [];
  for (let count = LEAST_EVENTS; count <= recurring.length && entries.length < MAX_ENTRIES; count *= 2)
    entries.push([means[recurring[count - 1]!]!, Math.log10(means.length / count)]);
  if (entries.length === 0) return undefined;
  return { known: entries, times: timesOf(recurring.map((i) => timeOfDay(timeline, at[i]!))) };
}

/** Each time that is not near another. */
function timesOf(all: readonly number[]): number[] {
  const times: number[] = [];
  const isKnown = (time: number) =>
    times.some((own) => Math.abs(offDays(time - own, DAY_MS)) < JITTER_MS / 2);
  for (const time of all) if (times.length < MAX_TIMES && !isKnown(time)) times.push(time);
  return times;
}

/** Local time of an interval, ms since midnight. */
export function timeOfDay({ startAt, intervalMs, offsetAt }: Timeline, i: number): number {
  const local = localTimeAt(startAt + i * intervalMs, offsetAt);
  return local - Math.floor(local / DAY_MS) * DAY_MS;
}

/** Indices of the rarest point of each event, the rarest first. */
function rarestEvents(means: Float64Array, most: number): number[] {
  const order = Array.from(means.keys()).sort((a, b) => means[b]! - means[a]!);
  const isNear = new Uint8Array(means.length);
  const events: number[] = [];
  for (const i of order) {
    if (!isNear[i]) {
      if (events.length === most) break;
      events.push(i);
    }
    isNear.fill(1, Math.max(0, i - EVENT_GAP), i + EVENT_GAP + 1);
  }
  return events;
}

/** Distance from whole days, in points. */
function offDays(points: number, perDay: number): number {
  return points - Math.round(points / perDay) * perDay;
}
