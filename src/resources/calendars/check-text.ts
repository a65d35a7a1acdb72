// Check of the text of a calendar, from a client or an address, and of the address.
import { type Calendar, calendarOf, readCalendar } from "../../core/calendar/calendar.ts";
import type { CalendarSettings } from "../../core/calendar/settings.ts";
import { describeError, invalid, TorusError } from "../../core/errors.ts";
import type { Allowances } from "../../hooks/kind.ts";
import { checkUrl } from "../../hooks/shared/http.ts";
import { finishInSteps } from "../../runtime/steps.ts";

const never = new AbortController().signal;

/** Parses a text with pauses for others; the next use of it finds the calendar in memory. @throws TorusError `invalid` */
export async function readText(text: string, signal = never): Promise<Calendar> {
  return finishInSteps(readCalendar(text), signal);
}

/** As `readText`. @returns the error of a text that is refused */
export async function tryText(text: string): Promise<Calendar | TorusError> {
  return readText(text).catch((error: unknown) => {
    if (error instanceof TorusError) return error;
    throw error;
  });
}

/** Checks the text, or the address within the limits of the settings. @throws TorusError `invalid` with the path */
export function checkContent({ ical, url }: CalendarSettings, allowed: Allowances): void {
  if (url !== undefined) checkUrl(url, "url", allowed);
  if (ical !== undefined) checkText(ical);
}

/** Checks that a text can be read; prepared by `readText` it takes no time. @throws TorusError `invalid` with the path */
export function checkText(text: string, path = "ical"): Calendar {
  try {
    return calendarOf(text);
  } catch (error) {
    throw invalid(path, describeError(error).message);
  }
}
