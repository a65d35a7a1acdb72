// Calendar of an iCalendar text: the occurrences of its events, expanded by year and time zone at first use; pure.
import { describeError, TorusError } from "../errors.ts";
import type { Range } from "../series/grid.ts";
import { finish } from "../steps.ts";
import { DAY_MS } from "../time/time.ts";
import { offsetsOf } from "../time/timezone.ts";
import type { CalendarEvent } from "./event.ts";
import { expand, type Occurrence } from "./expand.ts";
import { type ParsedEvents, parseEvents, type SkippedEvent } from "./parse.ts";
import { localDayOf, type OffsetAt, utc } from "./wall-time.ts";

/** They hold the next occurrence of any event that occurs every year. */
const YEARS_AHEAD = 2;
/** Expanded years in memory; of one time zone mostly. */
const MAX_YEARS = 16;

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
