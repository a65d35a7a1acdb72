// Occurrences of events within a year: starts by rules and dates, without those excluded, replaced or cancelled; pure.
import type { Range } from "../series/grid.ts";
import { DAY_MS } from "../time/time.ts";
import type { AddedDate, CalendarEvent, Duration } from "./event.ts";
import { startsOf, type WallRange } from "./rule.ts";
import type { Rule } from "./rule-parts.ts";
import { instantOf, type OffsetAt, type WallTime } from "./wall-time.ts";

/** Some milliseconds of work. */
const OCCURRENCES_PER_PAUSE = 1000;
const DAYS_PER_PART = 7;

/** One occurrence of an event; `toAt` is exclusive, and the same as `fromAt` for an instant. */
export interface Occurrence extends Range {
  readonly summary: string;
  /** By local days: a date without a time. */
  readonly isAllDay: boolean;
}

/** Instants, ms since the epoch; `toAt` exclusive. */
interface Year {
  readonly fromAt: number;
  readonly toAt: number;
}

/** All occurrences of a year, by start; their number is bounded where a text is parsed. */
export function* expand(
  events: readonly CalendarEvent[],
  year: Year,
  local: OffsetAt,
): Generator<void, readonly Occurrence[]> {
  const replaced = findReplaced(events, local);
  const occurrences: Occurrence[] = [];
  for (const event of events) {
    if (event.isCancelled) continue;
    yield* expandEvent(event, { year, local, replaced }, occurrences);
    yield;
  }
  return occurrences.sort((a, b) => a.fromAt - b.fromAt || a.toAt - b.toAt);
}

/** By UID, the starts (instants) that changes of single occurrences replace. */
function findReplaced(
  events: readonly CalendarEvent[],
  local: OffsetAt,
): ReadonlyMap<string, ReadonlySet<number>> {
  const byUid = new Map<string, Set<number>>();
  for (const { uid, replaces } of events) {
    if (!replaces) continue;
    const starts = byUid.get(uid) ?? new Set();
    byUid.set(uid, starts.add(toInstant(replaces, local)));
  }
  return byUid;
}

interface ExpandContext {
  readonly year: Year;
  /** Of the reader: zone of dates and floating times. */
  readonly local: OffsetAt;
  readonly replaced: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Adds the occurrences of an event. */
function* expandEvent(
  event: CalendarEvent,
  { year, local, replaced }: ExpandContext,
  found: Occurrence[],
): Generator<void, void> {
  const { uid, summary, start, replaces } = event;
  const range = wallRangeOf(event, year);
  const isExcluded = excluding(event, local, { range, replaced: replaces ? undefined : replaced.get(uid) });
  const seen = new Set<number>();
  for (const { start: time, duration = event.duration } of startsIn(event, year)) {
    const fromAt = toInstant(time, local);
    const toAt = addDuration(time, duration, local);
    const isInYear = fromAt < year.toAt && Math.max(toAt, fromAt + 1) > year.fromAt;
    if (!isInYear || seen.has(fromAt) || isExcluded(time, fromAt)) continue;
    seen.add(fromAt);
    found.push({ fromAt, toAt, summary, isAllDay: start.isDate });
    if (found.length % OCCURRENCES_PER_PAUSE === 0) yield;
  }
}

/** Starts that may have a part in the year: by the rules, or that of the event where it has none, and added ones. */
function* startsIn(event: CalendarEvent, year: Year): Generator<AddedDate> {
  const { start, rules, added, replaces } = event;
  const range = wallRangeOf(event, year);
  if ((rules.length === 0 || replaces) && isIn(start, range)) yield { start };
  if (replaces) return;
  for (const rule of rules)
    for (const part of partsOf(rule, range))
      for (const ms of startsOf(rule, start.ms, part)) yield { start: { ...start, ms } };
  for (const date of added) if (isIn(date.start, wallRangeOf(event, year, date.duration))) yield date;
}

/** Rules by the clock may have many starts: they are found in parts. */
function* partsOf({ freq }: Rule, { from, to }: WallRange): Generator<WallRange> {
  const isByClock = freq === "HOURLY" || freq === "MINUTELY" || freq === "SECONDLY";
  const step = isByClock ? DAYS_PER_PART * DAY_MS : to - from;
  for (let at = from; at < to; at += step) yield { from: at, to: Math.min(to, at + step) };
}

/** Wall-clock starts whose occurrence may have a part in a year. */
function wallRangeOf(event: CalendarEvent, year: Year, duration = event.duration): WallRange {
  // Wall-clock time is at most a day from the instant, and the duration at most a day longer than written.
  const from = year.fromAt - 2 * DAY_MS - duration.days * DAY_MS - duration.ms;
  return { from, to: year.toAt + DAY_MS };
}

function isIn({ ms }: WallTime, { from, to }: WallRange): boolean {
  return ms >= from && ms < to;
}

/** Whether EXDATE, or a change of the occurrence, excludes a start; a date excludes all starts of its day. */
function excluding(
  event: CalendarEvent,
  local: OffsetAt,
  { range, replaced }: { readonly range: WallRange; readonly replaced: ReadonlySet<number> | undefined },
): (time: WallTime, at: number) => boolean {
  // In another zone a start is at most two days off.
  const from = event.added.some(({ duration }) => duration) ? -Infinity : range.from - 2 * DAY_MS;
  const near = { from, to: range.to + 2 * DAY_MS };
  const excluded = event.excluded.filter((time) => isIn(time, near));
  if (excluded.length === 0 && !replaced) return () => false;
  const instants = new Set(excluded.filter(({ isDate }) => !isDate).map((time) => toInstant(time, local)));
  const days = new Set(excluded.filter(({ isDate }) => isDate).map(({ ms }) => ms / DAY_MS));
  return ({ ms }, at) => replaced?.has(at) || instants.has(at) || days.has(Math.floor(ms / DAY_MS));
}

function toInstant({ ms, offsetAt }: WallTime, local: OffsetAt): number {
  return instantOf(ms, offsetAt ?? local);
}

/** End of an occurrence: its days on the calendar, then its exact time (RFC 5545, 3.8.5.3). */
function addDuration({ ms, offsetAt }: WallTime, duration: Duration, local: OffsetAt): number {
  return instantOf(ms + duration.days * DAY_MS, offsetAt ?? local) + duration.ms;
}
