// Events of an iCalendar text (RFC 5545): times as written, with their zones; descriptions and alarms are skipped.
import { TorusError } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "../time/time.ts";
import { readRules } from "./parse-rule.ts";
import {
  type Component,
  find,
  findAll,
  type Property,
  readTime,
  readTimes,
  textOf,
  type Zones,
} from "./property.ts";
import type { Rule } from "./rule.ts";
import type { WallTime } from "./wall-time.ts";
import { definedZone, namedZone, type Observance } from "./zone.ts";

export const MAX_EVENTS = 5000;
/** Longest line that is read: parameters and lists of dates are bounded by it. */
const MAX_LINE = 65_536;
const MAX_ZONES = 500;
const MAX_OBSERVANCES = 500;

/** An event as written. */
export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly start: WallTime;
  readonly duration: Duration;
  readonly rules: readonly Rule[];
  readonly added: readonly AddedDate[];
  readonly excluded: readonly WallTime[];
  /** Of a change to one occurrence: the start that it replaces. */
  readonly replaces?: WallTime;
  readonly isCancelled: boolean;
}

/** Days of the calendar, which a switch of the offset makes longer or shorter, and an exact time. */
export interface Duration {
  readonly days: number;
  readonly ms: number;
}

/** A date of RDATE; a period has a duration of its own. */
export interface AddedDate {
  readonly start: WallTime;
  readonly duration?: Duration;
}

const kept =
  /^(?:BEGIN|END|UID|SUMMARY|STATUS|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|TZID|X-LIC-LOCATION|TZOFFSETFROM|TZOFFSETTO)[;:]/i;

/**
 * Parses the text of an iCalendar file. Events without a start are left out.
 * @throws TorusError `invalid` naming the event and the rule; holds nothing of the text but names of time zones
 */
export function parseEvents(text: string): CalendarEvent[] {
  const calendars = readComponents(text);
  const zones = readZones(calendars);
  const events = calendars.flatMap(([, , parts]) => parts.filter(([name]) => name === "vevent"));
  if (events.length > MAX_EVENTS)
    throw new TorusError("invalid", `holds ${events.length} events: at most ${MAX_EVENTS} are possible`);
  return events.flatMap((event, index) => {
    try {
      return readEvent(event, zones) ?? [];
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      throw new TorusError("invalid", `event ${index + 1}: ${error.message}`);
    }
  });
}

/** Lines that matter, in the structure of the file. */
function readComponents(text: string): Component[] {
  // Loaded at the first use: most servers have no calendar.
  const ICAL = require("ical.js") as typeof import("ical.js").default;
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const short = lines.filter((line) => kept.test(line));
  if (short.some((line) => line.length > MAX_LINE))
    throw new TorusError("invalid", `has a line of more than ${MAX_LINE} characters`);
  const parsed = tryParse(() => ICAL.parse(short.join("\r\n"))) as Component | Component[] | undefined;
  const list = parsed === undefined ? [] : typeof parsed[0] === "string" ? [parsed] : parsed;
  const calendars = (list as Component[]).filter(([name]) => name === "vcalendar");
  if (calendars.length > 0) return calendars;
  throw new TorusError(
    "invalid",
    "must be the text of an iCalendar file, BEGIN:VCALENDAR to END:VCALENDAR, with valid dates and rules",
  );
}

function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function readZones(calendars: readonly Component[]): Zones {
  const zones = calendars.flatMap(([, , parts]) => parts.filter(([name]) => name === "vtimezone"));
  if (zones.length > MAX_ZONES)
    throw new TorusError("invalid", `holds ${zones.length} time zones: at most ${MAX_ZONES} are possible`);
  return new Map(
    zones.flatMap((zone) => {
      const name = textOf(zone, "tzid");
      // The rules of a known name are newer than those of the file.
      const known = namedZone(name) ?? namedZone(textOf(zone, "x-lic-location"));
      return name ? [[name, known ?? definedZone(readObservances(zone))] as const] : [];
    }),
  );
}

function readObservances([, , parts]: Component): Observance[] {
  return parts.slice(0, MAX_OBSERVANCES).flatMap((part) => {
    const start = readTime(find(part, "dtstart"), new Map());
    const [offsetBefore, offsetAfter] = ["tzoffsetfrom", "tzoffsetto"].map((name) =>
      readOffset(textOf(part, name)),
    );
    if (!start || offsetBefore === undefined || offsetAfter === undefined) return [];
    const zone = { ...start, offsetAt: () => offsetBefore };
    const dates = findAll(part, "rdate").flatMap((date) => readTimes(date, new Map()));
    return [
      {
        ...{ offsetBefore, offsetAfter, start: start.ms, rules: readRules(part, zone) },
        dates: dates.map(({ ms }) => ms),
      },
    ];
  });
}

/** @returns ms, undefined if it is none */
function readOffset(text: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = "0"] = match;
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return ms >= DAY_MS ? undefined : sign === "-" ? -ms : ms;
}

function readEvent(event: Component, zones: Zones): CalendarEvent | undefined {
  const start = readTime(find(event, "dtstart"), zones);
  if (!start) return undefined;
  const replaces = readTime(find(event, "recurrence-id"), zones);
  return {
    uid: textOf(event, "uid"),
    summary: textOf(event, "summary"),
    start,
    duration: readDuration(event, start, zones),
    rules: readRules(event, start),
    added: findAll(event, "rdate").flatMap((date) => readAdded(date, zones)),
    excluded: findAll(event, "exdate").flatMap((date) => readTimes(date, zones)),
    ...(replaces && { replaces }),
    isCancelled: textOf(event, "status").toUpperCase() === "CANCELLED",
  };
}

/** Without an end a date lasts its day, and a time is an instant (RFC 5545, 3.6.1). */
function readDuration(event: Component, start: WallTime, zones: Zones): Duration {
  const written = textOf(event, "duration");
  if (written) return parsePeriod(written);
  const end = readTime(find(event, "dtend"), zones);
  return end ? between(start, end) : { days: start.isDate ? 1 : 0, ms: 0 };
}

/** Dates are counted in days; times are apart by an exact duration, where both have a zone (RFC 5545, 3.8.5.3). */
function between(start: WallTime, end: WallTime): Duration {
  if (start.isDate) return { days: Math.max(1, Math.ceil((end.ms - start.ms) / DAY_MS)), ms: 0 };
  const at = ({ ms, offsetAt }: WallTime) => ms - (offsetAt?.(ms - offsetAt(ms)) ?? 0);
  const isFloating = !start.offsetAt || !end.offsetAt;
  return { days: 0, ms: Math.max(0, isFloating ? end.ms - start.ms : at(end) - at(start)) };
}

const periodText =
  /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,11})S)?)?$/;

function parsePeriod(text: string): Duration {
  const match = periodText.exec(text);
  if (!match) throw new TorusError("invalid", "has a duration that cannot be read, as in PT1H or P1D");
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  if (sign === "-") return { days: 0, ms: 0 };
  return {
    days: (Number(weeks) * WEEK_MS) / DAY_MS + Number(days),
    ms: Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS,
  };
}

function readAdded(date: Property, zones: Zones): AddedDate[] {
  const [name, params, type, ...values] = date;
  if (type !== "period") return readTimes(date, zones).map((start) => ({ start }));
  return (values as [string, string][]).map(([from, to]) => {
    const start = readTimes([name, params, "date-time", from], zones)[0]!;
    if (/^[+-]?P/.test(to)) return { start, duration: parsePeriod(to) };
    return { start, duration: between(start, readTimes([name, params, "date-time", to], zones)[0]!) };
  });
}
