// Holidays of a country, of an iCalendar text, or of both, as local days; computed by year and cached.
import { type Static, Type } from "@sinclair/typebox";
import { calendarOf } from "../calendar/calendar.ts";
import { describeError, invalid } from "../errors.ts";
import { Name } from "../input/name.ts";
import { DAY_MS } from "./time.ts";

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
    calendar: Type.Optional({
      ...Name,
      description: "Name of a calendar, in place of ical: the days of its events count",
    }),
  },
  {
    additionalProperties: false,
    description:
      "Days that are like weekends, if that predicts those of the training range better; takes effect at once",
  },
);
export type Holidays = Static<typeof Holidays>;

/** Whether a local day, a number of days since the epoch, is a holiday. */
type IsHoliday = (day: number) => boolean;

interface Known {
  readonly timezone: string | undefined;
  readonly isHoliday: IsHoliday;
}

/** By content, for settings that are read again; and by object, as a text may be long. */
const known = new Map<string, IsHoliday>();
const knownObjects = new WeakMap<Holidays, Known>();

/** @throws TorusError `invalid` for an unknown country or region, or a text without events */
export function checkHolidays({ country, region, ical, calendar }: Holidays, path: string): void {
  if (region !== undefined && country === undefined) throw invalid(`${path}.region`, "needs a country");
  if (ical !== undefined && calendar !== undefined)
    throw invalid(`${path}.calendar`, "must stand without ical: put its events into the calendar");
  if (country === undefined && ical === undefined && calendar === undefined)
    throw invalid(
      path,
      "must have a country, the name of a calendar, or the text of an iCalendar file, ical",
    );
  if (country !== undefined) checkCountry(country, region, path);
  if (ical !== undefined) checkText(ical, `${path}.ical`);
}

/**
 * @param holidays checked by `checkHolidays`, the text of a calendar in place of its name
 * @param timezone IANA name, of the days of events that have a time; default: UTC
 */
export function holidaysOf(holidays: Holidays, timezone?: string): IsHoliday {
  const found = knownObjects.get(holidays);
  if (found && found.timezone === timezone) return found.isHoliday;
  const isHoliday = findByContent(holidays, timezone);
  knownObjects.set(holidays, { timezone, isHoliday });
  return isHoliday;
}

function findByContent(holidays: Holidays, timezone: string | undefined): IsHoliday {
  const { country, region, ical } = holidays;
  const key = JSON.stringify([country, region, ical, timezone]);
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_CACHED) known.clear();
  const byYear = new Map<number, ReadonlySet<number>>();
  const calendar = ical === undefined ? undefined : calendarOf(ical);
  const isHoliday: IsHoliday = (day) => {
    const year = new Date(day * DAY_MS).getUTCFullYear();
    let days = byYear.get(year);
    if (!days) {
      days = new Set(publicHolidays(holidays, year));
      byYear.set(year, days);
    }
    return days.has(day) || (calendar?.hasDay(day, timezone) ?? false);
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

function checkText(text: string, path: string): void {
  let count: number;
  try {
    count = calendarOf(text).size;
  } catch (error) {
    throw invalid(path, describeError(error).message);
  }
  if (count === 0) throw invalid(path, "holds no event (VEVENT) with a date");
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

function daysFrom(first: number, length: number): number[] {
  return Array.from({ length: Math.min(366, length) }, (_, k) => first + k);
}
