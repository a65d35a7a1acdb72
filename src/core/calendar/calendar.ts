// Calendar of an iCalendar text: the occurrences of its events, expanded by year and time zone at first use; pure.

import { describeError, TorusError } from "../errors.ts";
import type { Range } from "../series/grid.ts";
import { finish } from "../steps.ts";
import { DAY_MS } from "../time/time.ts";
import { offsetsOf } from "../time/timezone.ts";
import type { AddedDate, CalendarEvent, Duration } from "./event.ts";
import { type ParsedEvents, parseEvents, type SkippedEvent } from "./parse.ts";
import { type Rule, startsOf, type WallRange } from "./rule.ts";
import { instantOf, localDayOf, type OffsetAt, utc, type WallTime } from "./wall-time.ts";

/** Some milliseconds of work. */
const OCCURRENCES_PER_PAUSE = 1000;
const DAYS_PER_PART = 7;
/** They hold the next occurrence of any event that occurs every year. */
const YEARS_AHEAD = 2;
/** Expanded years in memory; of one time zone mostly. */
const MAX_YEARS = 16;

/** One occurrence of an event; `toAt` is exclusive, and the same as `fromAt` for an instant. */
export interface Occurrence extends Range {
  readonly summary: string;
  /** By local days: a date without a time. */
  readonly isAllDay: boolean;
}

/** Calendars by name, as far as settings refer to them. */
export type Calendars = ReadonlyMap<string, Pick<Calendar, "endAt" | "occurrencesIn">>;

export const noCalendars: Calendars = new Map();

/** Parsed texts in memory, refused ones included: as many as there can be calendars, and some of holidays. */
const MAX_PARSED = 128;
/** The one used last comes last. */
const parsed = new Map<string, Calendar | TorusError>();

/** The calendar of a text, parsed once. @throws TorusError `invalid`, see `parseEvents` */
export function calendarOf(text: string): Calendar {
  return finish(readCalendar(text));
}

/**
 * As `calendarOf`, with pauses.
 * @returns a generator that pauses after each event
 * @throws TorusError as `calendarOf`
 */
export function* readCalendar(text: string): Generator<void, Calendar> {
  const known = parsed.get(text) ?? (yield* tryParse(text));
  parsed.delete(text);
  if (parsed.size >= MAX_PARSED) parsed.delete(parsed.keys().next().value!);
  parsed.set(text, known);
  if (known instanceof TorusError) throw known;
  return known;
}

function* tryParse(text: string): Generator<void, Calendar | TorusError> {
  try {
    return new Calendar(yield* parseEvents(text));
  } catch (error) {
    return error instanceof TorusError ? error : new TorusError("invalid", describeError(error).message);
  }
}

interface Year {
  readonly fromAt: number;
  readonly toAt: number;
}

export class Calendar {
  readonly #events: readonly CalendarEvent[];
  readonly #years = new Map<string, readonly Occurrence[]>();
  readonly #days = new Map<string, ReadonlySet<number>>();
  readonly #offsets = new Map<string, OffsetAt>();

  /** Events that are left out: the first of them, by number. */
  readonly skipped: readonly SkippedEvent[];
  readonly skippedCount: number;

  constructor({ events, skipped, skippedCount }: ParsedEvents) {
    this.#events = events;
    this.skipped = skipped;
    this.skippedCount = skippedCount;
  }

  /** Number of its events, repeated ones counted once. */
  get size(): number {
    return this.#events.length;
  }

  /**
   * Occurrences that share an instant with a range, by start.
   * @param timezone IANA name, of dates and floating times; default: UTC
   */
  occurrencesIn(range: Range, timezone?: string): Occurrence[] {
    return finish(this.#occurrencesIn(range, timezone));
  }

  *#occurrencesIn({ fromAt, toAt }: Range, timezone?: string): Generator<void, Occurrence[]> {
    const first = new Date(fromAt).getUTCFullYear();
    const last = new Date(toAt - 1).getUTCFullYear();
    const found: Occurrence[] = [];
    for (let year = first; year <= last; year++) {
      const beginsAt = Date.UTC(year, 0, 1);
      for (const occurrence of yield* this.#expand(year, timezone)) {
        if (year > first && occurrence.fromAt < beginsAt) continue;
        if (occurrence.fromAt < toAt && endOf(occurrence) > fromAt) found.push(occurrence);
      }
    }
    return found;
  }

  /** The latest end of the occurrences that contain an instant; undefined if there are none. */
  endAt(at: number, timezone?: string): number | undefined {
    const ends = this.occurrencesIn({ fromAt: at, toAt: at + 1 }, timezone).map(({ toAt }) => toAt);
    return ends.reduce<number | undefined>((most, end) => (end > (most ?? at) ? end : most), undefined);
  }

  /**
   * The next occurrences to begin within two years, those in progress first; years are expanded until they are found.
   * @param at ms since the epoch
   * @returns a generator that pauses after each event
   */
  *nextAfter(at: number, count: number, timezone?: string): Generator<void, Occurrence[]> {
    const found: Occurrence[] = [];
    const endAt = at + YEARS_AHEAD * 366 * DAY_MS;
    for (let fromAt = at; fromAt < endAt && found.length < count; ) {
      const toAt = Math.min(endAt, Date.UTC(new Date(fromAt).getUTCFullYear() + 1, 0, 1));
      for (const occurrence of yield* this.#occurrencesIn({ fromAt, toAt }, timezone))
        if (fromAt === at || occurrence.fromAt >= fromAt) found.push(occurrence);
      fromAt = toAt;
    }
    return found.slice(0, count);
  }

  /** Whether an occurrence has a part of a local day, a number of days since the epoch. */
  hasDay(day: number, timezone?: string): boolean {
    const year = new Date(day * DAY_MS).getUTCFullYear();
    const key = `${timezone}/${year}`;
    let days = this.#days.get(key);
    if (!days) {
      days = this.#daysOf(year, timezone);
      remember(this.#days, key, days);
    }
    return days.has(day);
  }

  #daysOf(year: number, timezone: string | undefined): ReadonlySet<number> {
    const [first, last] = [Date.UTC(year, 0, 1) / DAY_MS, Date.UTC(year, 11, 31) / DAY_MS];
    const offsetAt = this.#offsetsOf(timezone);
    const range = { fromAt: (first - 1) * DAY_MS, toAt: (last + 2) * DAY_MS };
    const days = new Set<number>();
    for (const occurrence of this.occurrencesIn(range, timezone)) {
      const to = Math.min(last, localDayOf(endOf(occurrence) - 1, offsetAt));
      for (let day = Math.max(first, localDayOf(occurrence.fromAt, offsetAt)); day <= to; day++)
        days.add(day);
    }
    return days;
  }

  *#expand(year: number, timezone: string | undefined): Generator<void, readonly Occurrence[]> {
    const key = `${timezone}/${year}`;
    const known = this.#years.get(key);
    if (known) return known;
    const range = { fromAt: Date.UTC(year, 0, 1), toAt: Date.UTC(year + 1, 0, 1) };
    const occurrences = yield* expand(this.#events, range, this.#offsetsOf(timezone));
    remember(this.#years, key, occurrences);
    return occurrences;
  }

  #offsetsOf(timezone = "UTC"): OffsetAt {
    const known = this.#offsets.get(timezone);
    if (known) return known;
    const offsets = offsetsOf(timezone) ?? utc;
    remember(this.#offsets, timezone, offsets);
    return offsets;
  }
}

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MAX_YEARS) cache.clear();
  cache.set(key, value);
}

/** End of an occurrence, by which an instant has a length. */
function endOf({ fromAt, toAt }: Range): number {
  return Math.max(toAt, fromAt + 1);
}

/** All occurrences of a year, by start; their number is bounded where a text is parsed. */
function* expand(
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
