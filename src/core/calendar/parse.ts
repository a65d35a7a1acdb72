// Events of an iCalendar text (RFC 5545): times as written, with their zones; descriptions and alarms are skipped.
import { TorusError } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "../time/time.ts";
import { frequencies, type Rule, type WeekdayRule } from "./rule.ts";
import { type OffsetAt, utc, type WallTime } from "./wall-time.ts";
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

/** Name, parameters, type, values: a property of jCal (RFC 7265). */
type Property = [name: string, params: Record<string, string | string[]>, type: string, ...values: unknown[]];
type Component = [name: string, properties: Property[], components: Component[]];

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

/** By TZID; names that are not defined are added as they are found. */
type Zones = Map<string, OffsetAt>;

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

function readTime(property: Property | undefined, zones: Zones): WallTime | undefined {
  return property && readTimes(property, zones)[0];
}

const timeText = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z)?)?$/;

function readTimes([, params, , ...values]: Property, zones: Zones): WallTime[] {
  const zone = zoneOf(params.tzid, zones);
  return values.map((value) => {
    const match = timeText.exec(String(value));
    const [text, date, time, isUtc] = match ?? [];
    // A leap second is the second after it.
    const ms = Date.parse(`${date}T${time?.replace(/:60$/, ":59") ?? "00:00:00"}Z`);
    const isReal = ms >= Date.UTC(100, 0, 1) && new Date(ms).toISOString().startsWith(date!);
    if (!text || !isReal) throw new TorusError("invalid", "has a date that cannot be");
    const offsetAt = isUtc ? utc : zone;
    return { ms, isDate: time === undefined, ...(time !== undefined && offsetAt && { offsetAt }) };
  });
}

function zoneOf(tzid: string | string[] | undefined, zones: Zones): OffsetAt | undefined {
  if (tzid === undefined) return undefined;
  const name = String(tzid);
  const zone = zones.get(name) ?? namedZone(name);
  if (zone) {
    zones.set(name, zone);
    return zone;
  }
  const shown = JSON.stringify(name.slice(0, 64));
  throw new TorusError(
    "invalid",
    `has the time zone ${shown}, which is no IANA name and not defined by a VTIMEZONE of the file`,
  );
}

interface Recurrence {
  readonly [part: string]: unknown;
}

const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const weekdayText = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/;

function readRules(event: Component, start: WallTime): Rule[] {
  return findAll(event, "rrule").flatMap(([, , , ...values]) =>
    (values as Recurrence[]).map((parts) => readRule(parts, start)),
  );
}

function readRule(parts: Recurrence, start: WallTime): Rule {
  const freq = frequencies.find((name) => name === parts.freq);
  const { interval = 1, count, until, wkst = 2, byday } = parts;
  if (!freq || !isWhole(interval, 1, 100_000) || !(count === undefined || isWhole(count, 1, 1e9)))
    throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  const numbers = {
    ...listOf(parts, { name: "months", part: "bymonth", min: 1, max: 12 }),
    ...listOf(parts, { name: "weeks", part: "byweekno", min: -53, max: 53 }),
    ...listOf(parts, { name: "yearDays", part: "byyearday", min: -366, max: 366 }),
    ...listOf(parts, { name: "monthDays", part: "bymonthday", min: -31, max: 31 }),
    ...listOf(parts, { name: "hours", part: "byhour", min: 0, max: 23 }),
    ...listOf(parts, { name: "minutes", part: "byminute", min: 0, max: 59 }),
    ...listOf(parts, { name: "seconds", part: "bysecond", min: 0, max: 60 }),
    ...listOf(parts, { name: "positions", part: "bysetpos", min: -366, max: 366 }),
  };
  return {
    ...{ freq, interval, weekStart: Number(wkst) - 1, ...numbers },
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until: readUntil(String(until), start) }),
    ...(byday !== undefined && { weekdays: toList(byday).map(readWeekday) }),
  };
}

function readWeekday(value: unknown): WeekdayRule {
  const match = weekdayText.exec(String(value));
  if (!match) throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  const [, nth, name] = match;
  return { day: weekdayNames.indexOf(name!), ...(nth !== undefined && { nth: Number(nth) }) };
}

/** Wall-clock ms of the event: a date includes its day, and a time in UTC is one of its zone. */
function readUntil(text: string, start: WallTime): number {
  const [until] = readTimes(["until", {}, "date-time", text], new Map());
  const { ms, isDate, offsetAt } = until!;
  if (isDate) return ms + DAY_MS - 1;
  return offsetAt && start.offsetAt ? ms + start.offsetAt(ms) : ms;
}

/** A list of numbers of a rule, where it has the part. */
function listOf(
  parts: Recurrence,
  { name, part, min, max }: { name: keyof Rule; part: string; min: number; max: number },
): Partial<Rule> {
  if (parts[part] === undefined) return {};
  const list = toList(parts[part]);
  if (list.length > 400 || !list.every((value) => isWhole(value, min, max)))
    throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  return { [name]: list };
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function findAll([, properties]: Component, name: string): Property[] {
  return properties.filter((property) => property[0] === name);
}

function find(component: Component, name: string): Property | undefined {
  return component[1].find((property) => property[0] === name);
}

/** Value of a text property; empty if it is absent. */
function textOf(component: Component, name: string): string {
  const property = find(component, name);
  return property ? String(property[3]) : "";
}
