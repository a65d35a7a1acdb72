// Recurring events of a training: rare points at the same time on most days, or in most weeks, as a nightly job; pure.
import { DAY_MS, HOUR_MS, WEEK_MS } from "../../../core/time/time.ts";
import { localTimeAt } from "../../baseline/local-day.ts";
import type { Timeline } from "../timeline.ts";

/** Points between two rare ones that are one event. */
const EVENT_GAP = 10;
/** Time by which an event may come early or late, ms. */
export const JITTER_MS = 600_000;

/** Rare points of which most cycles hold one at the same time. */
interface Cycle {
  readonly cycleMs: number;
  /** Share of the whole cycles that hold one. */
  readonly share: number;
  /** Least number of points by which one may come early or late. */
  readonly jitter: number;
  /** Time before and after, ms, whose rare points tell how many cycles hold one by chance; absent: none do. */
  readonly aroundMs?: number;
}

/** Noise that grows with the load is rare on most days at some time of the busy hours. */
const daily: Cycle = { cycleMs: DAY_MS, share: 0.5, jitter: 0, aroundMs: 3 * HOUR_MS };
/** Of three or four weeks all but one must hold one: of many rare points some are a week apart by chance. */
const weekly: Cycle = { cycleMs: WEEK_MS, share: 0.7, jitter: 1 };
/** Least number of cycles that hold one: two of three are a chance. */
const LEAST_CYCLES = 3;
/** Largest probability that so many cycles hold one by chance. */
const MOST_CHANCE = 0.001;
/** What is punctual is told from noise within this time as well, ms. */
const PUNCTUAL_MS = 150_000;
/** Events looked at for each day, the rarest first, and the least number of days of a training. */
const EVENTS_PER_DAY = 6;
const MIN_DAYS = 5;
/** Points outside of daily events that are rare, as a share of all and the least number of a week. */
const RARE_SHARE = 0.01;
const RARE_PER_WEEK = 3;
/** Share of the points of which those that recur beside them are of the same event. */
const EVENT_SHARE = 0.1;
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

/** A local time, as what recurs is known by it. */
export interface LocalTime {
  /** Ms since midnight, and since the start of a week. */
  readonly ofDay: number;
  readonly ofWeek: number;
  readonly intervalMs: number;
}

export interface Means {
  /** Mean rarities, decades, in order of time. */
  readonly means: Float64Array;
  /** Interval of each, in points since the start of the training. */
  readonly at: Int32Array;
  readonly timeline: Timeline;
}

/** Whether a time of day is one of those, or so near that the event may begin or end there. @param times ms since midnight */
export function isRecurringTime(times: readonly number[], { ofDay, intervalMs }: LocalTime): boolean {
  return isNear(times, ofDay, { cycleMs: DAY_MS, intervalMs });
}

/** As `isRecurringTime`, by the week. @param times ms since the start of a week */
export function isRecurringWeekTime(times: readonly number[], { ofWeek, intervalMs }: LocalTime): boolean {
  return isNear(times, ofWeek, { cycleMs: WEEK_MS, intervalMs });
}

function isNear(
  times: readonly number[],
  time: number,
  { cycleMs, intervalMs }: { cycleMs: number; intervalMs: number },
): boolean {
  const near = nearOf(intervalMs);
  return times.some((own) => Math.abs(offCycles(time - own, cycleMs)) <= near);
}

/** Distance from the time of an event within which it may begin or end, ms. */
function nearOf(intervalMs: number): number {
  return JITTER_MS + EDGE_POINTS * intervalMs;
}

/** What recurs by the day; undefined where nothing does. */
export function findRecurring(training: Means): Recurring | undefined {
  const { means, at, timeline } = training;
  const days = (means.length * timeline.intervalMs) / DAY_MS;
  if (days < MIN_DAYS) return undefined;
  const recurring = thatRecur(rarestEvents(means, Math.floor(EVENTS_PER_DAY * days)), daily, training);
  const entries: [number, number][] = [];
  for (let count = LEAST_EVENTS; count <= recurring.length && entries.length < MAX_ENTRIES; count *= 2)
    entries.push([means[recurring[count - 1]!]!, Math.log10(means.length / count)]);
  if (entries.length === 0) return undefined;
  const times = recurring.map((i) => localTimeOf(timeline, at[i]!).ofDay);
  return { known: entries, times: timesOf(times, { cycleMs: DAY_MS, near: JITTER_MS / 2 }) };
}

/**
 * Local times of the week at which most weeks hold rare points, ms since its start.
 * @param daily times of day of what recurs each day, see `Recurring`
 */
export function findWeekTimes(training: Means, daily: readonly number[] = []): number[] {
  const { means, at, timeline } = training;
  const local = Array.from(at, (i) => localTimeOf(timeline, i));
  const others = [...means.keys()].filter((i) => !isRecurringTime(daily, local[i]!));
  const weeks = (means.length * timeline.intervalMs) / WEEK_MS;
  const order = others.toSorted((a, b) => means[b]! - means[a]!);
  const recurring = (count: number) => thatRecur(order.slice(0, Math.floor(count)), weekly, training);
  const rarest = recurring(Math.max(RARE_SHARE * others.length, RARE_PER_WEEK * weeks));
  const wider = rarest.length === 0 ? [] : recurring(EVENT_SHARE * others.length);
  const times = joinBeside(rarest, wider, training).map((i) => local[i]!.ofWeek);
  return timesOf(times, { cycleMs: WEEK_MS, near: nearOf(timeline.intervalMs) });
}

/** Some points, and those of others that lie beside them or beside one another. */
function joinBeside(points: readonly number[], others: readonly number[], { at, timeline }: Means): number[] {
  const most = Math.max(1, JITTER_MS / timeline.intervalMs);
  const joined = [...points];
  const left = new Set(others);
  for (const i of joined)
    for (const j of left)
      if (Math.abs(at[i]! - at[j]!) <= most) {
        joined.push(j);
        left.delete(j);
      }
  return joined;
}

/** Those of some points that most cycles hold at their time, and more than by chance. @param points indices */
function thatRecur(
  points: readonly number[],
  { cycleMs, share, jitter, aroundMs = 0 }: Cycle,
  { means, at, timeline: { intervalMs } }: Means,
): number[] {
  const length = cycleMs / intervalMs;
  const cycles = Math.floor(means.length / length);
  const needed = Math.max(LEAST_CYCLES, share * cycles);
  const most = Math.max(jitter, Math.floor(JITTER_MS / intervalMs));
  const around = Math.floor(aroundMs / intervalMs);
  return points.filter((i) => {
    const away = points.map((j) => at[j]! - at[i]!);
    const holdingWithin = (width: number) => {
      const near = away.filter((off) => Math.abs(offCycles(off, length)) <= width);
      return new Set(near.map((off) => Math.round(off / length))).size;
    };
    if (holdingWithin(most) < needed) return false;
    if (around <= most) return true;
    const beside = (sign: number) =>
      away.map((off) => sign * offCycles(off, length)).filter((off) => off > most && off <= around).length;
    // Busy hours begin at some time: the side that holds more tells.
    const perPoint = Math.max(beside(-1), beside(1)) / ((around - most) * cycles);
    return [Math.floor(PUNCTUAL_MS / intervalMs), most].some((width) => {
      const byChance = 1 - Math.exp(-perPoint * (2 * width + 1));
      // The cycle of the point itself holds one in any case.
      const chance = { trials: cycles - 1, share: byChance };
      return probabilityOfAtLeast(holdingWithin(width) - 1, chance) < MOST_CHANCE;
    });
  });
}

/** Of a binomial distribution. */
function probabilityOfAtLeast(
  count: number,
  { trials, share }: { readonly trials: number; readonly share: number },
): number {
  // In logarithms, as the first of many terms is below the least number.
  const logOdds = Math.log(share) - Math.log1p(-share);
  let logTerm = trials * Math.log1p(-share);
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += Math.exp(logTerm);
    logTerm += Math.log((trials - k) / (k + 1)) + logOdds;
  }
  return Math.max(0, 1 - below);
}

/** Each time that is not near another. */
function timesOf(all: readonly number[], { cycleMs, near }: { cycleMs: number; near: number }): number[] {
  const times: number[] = [];
  const isKnown = (time: number) => times.some((own) => Math.abs(offCycles(time - own, cycleMs)) < near);
  for (const time of all) if (times.length < MAX_TIMES && !isKnown(time)) times.push(time);
  return times;
}

/** Local time of an interval. */
export function localTimeOf({ startAt, intervalMs, offsetAt }: Timeline, i: number): LocalTime {
  const local = localTimeAt(startAt + i * intervalMs, offsetAt);
  const within = (cycleMs: number) => local - Math.floor(local / cycleMs) * cycleMs;
  return { ofDay: within(DAY_MS), ofWeek: within(WEEK_MS), intervalMs };
}

/** Indices of the rarest point of each event, the rarest first. */
function rarestEvents(means: Float64Array, most: number): number[] {
  const order = Array.from(means.keys()).sort((a, b) => means[b]! - means[a]!);
  const isOfEvent = new Uint8Array(means.length);
  const events: number[] = [];
  for (const i of order) {
    if (!isOfEvent[i]) {
      if (events.length === most) break;
      events.push(i);
    }
    isOfEvent.fill(1, Math.max(0, i - EVENT_GAP), i + EVENT_GAP + 1);
  }
  return events;
}

/** Distance from whole cycles. */
function offCycles(distance: number, cycle: number): number {
  return distance - Math.round(distance / cycle) * cycle;
}
