// Holidays of a country, of an iCalendar file, or of both, as local days; computed by year and cached.
import { type Static, Type } from "@sinclair/typebox";
import ICAL from "ical.js";
import { invalid } from "../errors.ts";
import { DAY_MS } from "./time.ts";

/** Repetitions that are followed to a year, over all events: bounds the work on a text from outside. */
const MAX_OCCURRENCES = 50_000;
const MAX_EVENTS = 5000;
const MAX_TEXT = 262_144;
/** Calendars in use at the same time; a model has one. */
const MAX_CACHED = 256;

export const Holidays = Type.Object(
  {
    country: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{2}$",
        description: "ISO 3166 code of the country whose public holidays count",
        rule: "must be a code of two capital letters, as in FR",
      }),
    ),
    region: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        description: "State or region of the country, for example `BE` for Berlin in DE",
      }),
    ),
    ical: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT,
        description: "Text of an iCalendar file: the days of its events count, also of repeated ones",
        rule: "must be the text of an iCalendar file, at most 256 kB",
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      "Days that are like weekends, if that predicts those of the training range better; takes effect at once",
  },
);
export type Holidays = Static<typeof Holidays>;

/** Whether a local day, a number of days since the epoch, is a holiday. */
export type IsHoliday = (day: number) => boolean;

/** By content, for settings that are read again; and by object, as a text may be long. */
const known = new Map<string, IsHoliday>();
const knownObjects = new WeakMap<Holidays, IsHoliday>();

/** @throws TorusError `invalid` for an unknown country or region, or a text without events */
export function checkHolidays({ country, region, ical }: Holidays, path: string): void {
  if (region !== undefined && country === undefined) throw invalid(`${path}.region`, "needs a country");
  if (country === undefined && ical === undefined)
    throw invalid(path, "must have a country or the text of an iCalendar file, ical");
  if (country !== undefined) checkCountry(country, region, path);
  if (ical !== undefined) checkCalendar(ical, `${path}.ical`);
}

/** @param holidays checked by `checkHolidays` */
export function holidaysOf(holidays: Holidays): IsHoliday {
  const found = knownObjects.get(holidays) ?? findByContent(holidays);
  knownObjects.set(holidays, found);
  return found;
}

function findByContent(holidays: Holidays): IsHoliday {
  const key = JSON.stringify([holidays.country, holidays.region, holidays.ical]);
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_CACHED) known.clear();
  const byYear = new Map<number, ReadonlySet<number>>();
  const events = holidays.ical === undefined ? [] : eventsOf(holidays.ical);
  const isHoliday: IsHoliday = (day) => {
    const year = new Date(day * DAY_MS).getUTCFullYear();
    let days = byYear.get(year);
    if (!days) {
      days = new Set([...publicHolidays(holidays, year), ...eventDays(events, year)]);
      byYear.set(year, days);
    }
    return days.has(day);
  };
  known.set(key, isHoliday);
  return isHoliday;
}

function checkCountry(country: string, region: string | undefined, path: string): void {
  const { countries, regionsOf } = library();
  if (!countries().includes(country))
    throw invalid(`${path}.country`, `${country} is not known: give its days as ical`);
  if (region === undefined) return;
  const regions = regionsOf(country);
  if (regions.includes(region)) return;
  const remedy =
    regions.length > 0 ? `choose from ${regions.join(", ")}` : `${country} has none: leave it out`;
  throw invalid(`${path}.region`, `is not known: ${remedy}`);
}

function checkCalendar(text: string, path: string): void {
  let count: number;
  try {
    count = eventsOf(text).length;
  } catch {
    throw invalid(path, "must be the text of an iCalendar file, BEGIN:VCALENDAR to END:VCALENDAR");
  }
  if (count === 0) throw invalid(path, "holds no event (VEVENT) with a date");
  if (count > MAX_EVENTS) throw invalid(path, `holds ${count} events: at most ${MAX_EVENTS} are possible`);
}

/** The rules of the countries are large: loaded at the first use. */
function library() {
  const Library = require("date-holidays") as typeof import("date-holidays").default;
  return {
    countries: () => Object.keys(new Library().getCountries()),
    regionsOf: (country: string) => Object.keys(new Library().getStates(country) ?? {}),
    publicHolidays: ({ country, region }: Holidays, year: number) => {
      const calendar = region === undefined ? new Library(country!) : new Library(country!, region);
      return (calendar.getHolidays(year) || []).filter(({ type }) => type === "public");
    },
  };
}

function publicHolidays(holidays: Holidays, year: number): number[] {
  if (holidays.country === undefined) return [];
  return library()
    .publicHolidays(holidays, year)
    .flatMap(({ date, start, end }) => {
      const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS;
      // A holiday of a few hours counts as a day.
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
      return daysFrom(first, length);
    });
}

function eventsOf(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar
    .getAllSubcomponents("vevent")
    .map((event) => new ICAL.Event(event))
    .filter(({ startDate }) => startDate);
}

function eventDays(events: readonly ICAL.Event[], year: number): number[] {
  const to = Date.UTC(year + 1, 0, 1) / DAY_MS;
  let left = MAX_OCCURRENCES;
  return events.flatMap((event) => {
    const { startDate, endDate } = event;
    const length = Math.max(1, dayOf(endDate, true) - dayOf(startDate));
    if (!event.isRecurring()) return daysFrom(dayOf(startDate), length);
    const days: number[] = [];
    const dates = event.iterator();
    for (let next = dates.next(); next && left > 0 && dayOf(next) < to; left--, next = dates.next())
      days.push(...daysFrom(dayOf(next), length));
    return days;
  });
}

/** Day of a date as it is written, in days since the epoch. @param isEnd the first day that is not part of it */
function dayOf({ year, month, day, isDate, hour, minute }: ICAL.Time, isEnd = false): number {
  const date = Date.UTC(year, month - 1, day) / DAY_MS;
  return isEnd && !isDate && (hour > 0 || minute > 0) ? date + 1 : date;
}

function daysFrom(first: number, length: number): number[] {
  return Array.from({ length: Math.min(366, length) }, (_, k) => first + k);
}
