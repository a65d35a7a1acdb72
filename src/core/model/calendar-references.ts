// References of model settings to calendars: mute windows, holidays and known events.
import { invalid, type TorusError } from "../errors.ts";
import type { Holidays } from "../time/holidays.ts";
import type { ModelSettings } from "./model.ts";

type References = Pick<Partial<ModelSettings>, "mute" | "holidays" | "known_events">;

/** Names of the calendars that settings refer to, by the path of the setting. */
export function calendarPaths({ mute, holidays, known_events }: References): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [index, { calendar }] of (mute ?? []).entries())
    if (calendar !== undefined) paths.set(`mute.${index}.calendar`, calendar);
  if (holidays?.calendar !== undefined) paths.set("holidays.calendar", holidays.calendar);
  if (known_events) paths.set("known_events.calendar", known_events.calendar);
  return paths;
}

/** Refusal of settings that name a calendar that is not there. @param path of the setting */
export function noCalendar(path: string, name: string): TorusError {
  return invalid(path, `there is no calendar ${name}: create it first, or choose another one`);
}

/** Names of the calendars that decide when hooks are notified and what is known. */
export function watchedCalendars({ mute, known_events }: Omit<References, "holidays">): string[] {
  if (!mute && !known_events) return [];
  return [...new Set(calendarPaths({ mute, known_events } as References).values())];
}

const filled = new WeakMap<Holidays, { readonly text: string; readonly holidays: Holidays }>();

/** Holidays with the text of their calendar in place of its name; the same object for the same text. */
export function fillHolidays(holidays: Holidays, text: string): Holidays {
  const known = filled.get(holidays);
  if (known?.text === text) return known.holidays;
  const { calendar: _, ...rest } = holidays;
  const next = { ...rest, ical: text };
  filled.set(holidays, { text, holidays: next });
  return next;
}
