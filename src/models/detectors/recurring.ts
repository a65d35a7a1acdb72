// Recurring events of a training: rare points at the same time on most days, as a job that begins each night; pure.
import { DAY_MS } from "../../core/time/time.ts";

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
const MAX_ENTRIES = 8;

/** [mean, decades]: events of at least such a mean rarity recur, one in so many points. */
export type Recurring = readonly (readonly [mean: number, decades: number])[];

export interface Means {
  /** Mean rarities, decades, in order of time. */
  readonly means: Float64Array;
  /** Interval of each, in points since the start of the training. */
  readonly at: Int32Array;
  readonly intervalMs: number;
}

/** The rarest first; empty where nothing recurs. */
export function findRecurring({ means, at, intervalMs }: Means): Recurring {
  const perDay = DAY_MS / intervalMs;
  const days = means.length / perDay;
  if (days < MIN_DAYS) return [];
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
  return entries;
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
