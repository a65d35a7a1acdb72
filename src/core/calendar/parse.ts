// Events of an iCalendar text (RFC 5545): times as written, with their zones; descriptions and alarms are skipped.
import { TorusError } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "../time/time.ts";
import { type Block, parseBlock, rawValue, readBlocks } from "./components.ts";
import type { AddedDate, CalendarEvent, Duration } from "./event.ts";
import { CalendarLoad } from "./load.ts";
import { readRules } from "./parse-rule.ts";
import { type Component, find, findAll, type Property, readTime, readTimes, textOf } from "./property.ts";
import { checkRevision, findReplaced, type ReadEvent } from "./revision.ts";
import type { Budget } from "./rule.ts";
import type { WallTime } from "./wall-time.ts";
import { readZones } from "./zone-definitions.ts";
import type { Zones } from "./zones.ts";

export const MAX_EVENTS = 5000;
/** Skipped events that are named. */
export const MAX_SKIPPED = 20;
/** Characters of a summary that name an event. */
const MAX_SUMMARY = 100;
/** Steps to find the switches of zones that the file defines, while it is parsed. */
const MAX_ZONE_STEPS = 500_000;

/** An event that is left out, as it cannot be read, repeats too often, or never occurs. */
export interface SkippedEvent {
  /** Number of the event in the text, from 1 on. */
  readonly event: number;
  readonly summary: string;
  readonly reason: string;
}

export interface ParsedEvents {
  readonly events: readonly CalendarEvent[];
  /** The first of the skipped ones. */
  readonly skipped: readonly SkippedEvent[];
  /** Number of all skipped ones. */
  readonly skippedCount: number;
}

/**
 * Parses the text of an iCalendar file, event by event: one that cannot be read is skipped.
 * @returns a generator that pauses after each event
 * @throws TorusError `invalid` for a text that is no calendar, events that repeat too often together, and where all
 * events are skipped; holds of the text names of time zones and rules
 */
export function* parseEvents(text: string): Generator<void, ParsedEvents> {
  const calendars = readBlocks(text);
  // Offsets are looked up for the years that events begin and end in.
  const budget: Budget = { left: MAX_ZONE_STEPS };
  const zones = readZones(calendars, budget);
  const blocks = calendars.flatMap((calendar) => calendar.blocks.filter(({ name }) => name === "vevent"));
  if (blocks.length > MAX_EVENTS)
    throw new TorusError("invalid", `holds ${blocks.length} events: at most ${MAX_EVENTS} are possible`);
  const read: ReadEvent[] = [];
  const events: CalendarEvent[] = [];
  const all: SkippedEvent[] = [];
  const attempt = (block: Block, number: number, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      const summary = rawValue(block, "SUMMARY").slice(0, MAX_SUMMARY);
      all.push({ event: number, summary, reason: error.message });
    }
  };
  for (const [index, block] of blocks.entries()) {
    const number = index + 1;
    attempt(block, number, () => read.push({ event: readEvent(parseEvent(block), zones), block, number }));
    yield;
  }
  const load = new CalendarLoad();
  const replaced = findReplaced(read);
  for (const one of read) {
    const { event, block, number } = one;
    const by = replaced.get(number);
    attempt(block, number, () => {
      if (by) checkRevision(one, by);
      else events.push(load.add(event, number, rawValue(block, "RRULE")));
    });
    yield;
  }
  all.sort((a, b) => a.event - b.event);
  const [first] = all;
  if (first && events.length === 0)
    throw new TorusError("invalid", `event ${first.event}: ${first.reason}${othersOf(all.length)}`);
  load.check();
  budget.left = Infinity;
  return { events, skipped: all.slice(0, MAX_SKIPPED), skippedCount: all.length };
}

function othersOf(skipped: number): string {
  return skipped === 1 ? "" : `; the other ${skipped - 1} events cannot be read either`;
}

const ruleParts = new Set([
  "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO",
  "BYMONTH", "BYSETPOS", "WKST",
]); // biome-ignore format: a list

/** @throws TorusError `invalid` for rules and ranges that would be left out, so that the event would repeat otherwise */
function parseEvent(block: Block): Component {
  if (block.lines.some((line) => /^EXRULE[;:]/i.test(line)))
    throw new TorusError("invalid", "has an EXRULE, which iCalendar has no longer: give the dates in EXDATE");
  if (block.lines.some((line) => /^RECURRENCE-ID;[^:]*RANGE=/i.test(line)))
    throw new TorusError(
      "invalid",
      "changes all later occurrences by RANGE: end the event with UNTIL, and give a new one from there on",
    );
  return parseBlock({ ...block, lines: block.lines.map(checkRule) });
}

/** A line with its rule in the usual case, without blanks; other lines as they are. */
function checkRule(line: string): string {
  if (!/^RRULE[;:]/i.test(line)) return line;
  const rule = line.replace(/\s/g, "").toUpperCase();
  for (const part of rule.slice(rule.indexOf(":") + 1).split(";")) {
    const [name = "", value = ""] = part.split("=");
    if (part !== "" && part !== "RSCALE=GREGORIAN" && !ruleParts.has(name))
      throw new TorusError(
        "invalid",
        `has a recurrence rule with ${JSON.stringify(part.slice(0, 40))}, which is unknown`,
      );
    // The library takes 0 or less for 1.
    if (name === "INTERVAL" && !/^0*[1-9]\d*$/.test(value))
      throw new TorusError(
        "invalid",
        "has a recurrence rule whose INTERVAL is no whole number of at least 1",
      );
  }
  return rule;
}

function readEvent(event: Component, zones: Zones): CalendarEvent {
  const start = readTime(find(event, "dtstart"), zones);
  if (!start) throw new TorusError("invalid", "has no DTSTART");
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
  if (end && end.ms < start.ms && end.offsetAt === start.offsetAt)
    throw new TorusError("invalid", "ends before it begins");
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
  if (sign === "-") throw new TorusError("invalid", "has a duration below 0");
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
