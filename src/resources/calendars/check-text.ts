// Check of the text of a calendar, from a client or an address.
import { calendarOf, MAX_OCCURRENCES } from "../../core/calendar/calendar.ts";
import { describeError, invalid } from "../../core/errors.ts";

/**
 * Checks that a text can be read, and that the events of a year can be counted.
 * @param at ms since the epoch
 * @throws TorusError `invalid`
 */
export function checkText(text: string, at: number, path = "ical"): void {
  let isWhole: boolean;
  try {
    isWhole = calendarOf(text).isWhole(at);
  } catch (error) {
    throw invalid(path, describeError(error).message);
  }
  if (isWhole) return;
  throw invalid(
    path,
    `has events that repeat too often: at most ${MAX_OCCURRENCES} a year are possible, and fewer by the second`,
  );
}
