// Calendar of an iCalendar text: the occurrences of its events, expanded by year and time zone at first use; pure.
import type { Range } from "../series/grid.ts";
import { DAY_MS } from "../time/time.ts";
import { offsetsOf } from "../time/timezone.ts";
import { type AddedDate, type CalendarEvent, type Duration, parseEvents } from "./parse.ts";
import { type Budget, startsOf } from "./rule.ts";
import { instantOf, localDayOf, type OffsetAt, utc, type WallTime } from "./wall-time.ts";

/** Steps of the rules of all events in one year: bounds the work on a text from outside. */
const MAX_STEPS = 600_000;
export const MAX_OCCURRENCES = 100_000;
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

/** Parsed texts in memory. */
const MAX_PARSED = 32;
const parsed = new Map<string, Calendar>();

/** The calendar of a text, parsed once. @throws TorusError `invalid`, see `parseEvents` */
export function calendarOf(text: string): Calendar {
  const known = parsed.get(text);
  if (known) return known;
  const calendar = new Calendar(text);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(text, calendar);
  return calendar;
}

interface Expansion {
  /** By start. */
  readonly occurrences: readonly Occurrence[];
  /** Whether the bounds were reached. */
  readonly isCut: boolean;
}

interface Year {
  readonly fromAt: number;
  readonly toAt: number;
}

export class Calendar {
  readonly #events: readonly CalendarEvent[];
  readonly #years = new Map<string, Expansion>();
  readonly #days = new Map<string, ReadonlySet<number>>();
  readonly #offsets = new Map<string, OffsetAt>();

  /** @throws TorusError `invalid`, see `parseEvents` */
  constructor(text: string) {
    this.#events = parseEvents(text);
  }

  /** Number of its events, repeated ones counted once. */
  get size(): number {
    return this.#events.length;
  }

  /** Whether all occurrences of a year are known; otherwise they repeat too often. @param at ms since the epoch */
  isWhole(at: number, timezone?: string): boolean {
    return !this.#expand(new Date(at).getUTCFullYear(), timezone).isCut;
  }

  /**
   * Occurrences that share an instant with a range, by start.
   * @param timezone IANA name, of dates and floating times; default: UTC
   */
  occurrencesIn({ fromAt, toAt }: Range, timezone?: string): Occurrence[] {
    const first = new Date(fromAt).getUTCFullYear();
    const last = new Date(toAt - 1).getUTCFullYear();
    const found: Occurrence[] = [];
    for (let year = first; year <= last; year++) {
      const beginsAt = Date.UTC(year, 0, 1);
      for (const occurrence of this.#expand(year, timezone).occurrences) {
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

  /** The next occurrences to begin. @param at ms since the epoch */
  nextAfter(at: number, count: number, timezone?: string): Occurrence[] {
    // Two years hold the next of any event that occurs every year.
    const range = { fromAt: at, toAt: at + 2 * 366 * DAY_MS };
    return this.occurrencesIn(range, timezone)
      .filter(({ toAt, fromAt }) => toAt > at || fromAt >= at)
      .slice(0, count);
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

  #expand(year: number, timezone: string | undefined): Expansion {
    const key = `${timezone}/${year}`;
    const known = this.#years.get(key);
    if (known) return known;
    const range = { fromAt: Date.UTC(year, 0, 1), toAt: Date.UTC(year + 1, 0, 1) };
    const expansion = expand(this.#events, range, this.#offsetsOf(timezone));
    remember(this.#years, key, expansion);
    return expansion;
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

function expand(events: readonly CalendarEvent[], year: Year, local: OffsetAt): Expansion {
  const budget = { left: MAX_STEPS };
  const replaced = findReplaced(events, local);
  const occurrences: Occurrence[] = [];
  for (const event of events) {
    if (event.isCancelled) continue;
    for (const occurrence of expandEvent(event, { year, local, budget, replaced })) {
      if (occurrences.length >= MAX_OCCURRENCES) return { occurrences: inOrder(occurrences), isCut: true };
      occurrences.push(occurrence);
    }
  }
  return { occurrences: inOrder(occurrences), isCut: budget.left <= 0 };
}

function inOrder(occurrences: Occurrence[]): Occurrence[] {
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
  readonly budget: Budget;
  readonly replaced: ReadonlyMap<string, ReadonlySet<number>>;
}

function expandEvent(event: CalendarEvent, { year, local, budget, replaced }: ExpandContext): Occurrence[] {
  const { uid, summary, start, replaces } = event;
  const isExcluded = excluding(event, local, replaces ? undefined : replaced.get(uid));
  const found: Occurrence[] = [];
  const seen = new Set<number>();
  for (const { start: time, duration = event.duration } of startsIn(event, { year, budget })) {
    const fromAt = toInstant(time, local);
    const toAt = addDuration(time, duration, local);
    const isInYear = fromAt < year.toAt && Math.max(toAt, fromAt + 1) > year.fromAt;
    if (!isInYear || seen.has(fromAt) || isExcluded(time, fromAt)) continue;
    seen.add(fromAt);
    found.push({ fromAt, toAt, summary, isAllDay: start.isDate });
  }
  return found;
}

/** Starts that may have a part in the year: by the rules, or that of the event where it has none, and added ones. */
function startsIn(
  { start, duration, rules, added, replaces }: CalendarEvent,
  { year, budget }: Pick<ExpandContext, "year" | "budget">,
): AddedDate[] {
  const extra = replaces ? [] : added;
  if (rules.length === 0 || replaces) return [{ start }, ...extra];
  // Wall-clock time is at most a day from the instant, and the duration at most a day longer than written.
  const from = year.fromAt - 2 * DAY_MS - duration.days * DAY_MS - duration.ms;
  const range = { from, to: year.toAt + DAY_MS };
  const starts = rules.flatMap((rule) => startsOf(rule, start.ms, range, budget));
  return [...starts.map((ms) => ({ start: { ...start, ms } })), ...extra];
}

/** Whether EXDATE, or a change of the occurrence, excludes a start; a date excludes all starts of its day. */
function excluding(
  { excluded }: CalendarEvent,
  local: OffsetAt,
  replaced: ReadonlySet<number> | undefined,
): (time: WallTime, at: number) => boolean {
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
