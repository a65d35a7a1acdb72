// View of a calendar: the address without its secret, the next events, and the state of the last reading.
import type { CalendarView, SkippedEventsView } from "../../api/calendars/index.ts";
import { Calendar } from "../../core/calendar/calendar.ts";
import type { Occurrence } from "../../core/calendar/expand.ts";
import { hideUrl } from "../../core/calendar/settings.ts";
import { formatDate } from "../../core/time/time.ts";
import { finishInSteps } from "../../runtime/steps.ts";
import type { CalendarRow } from "../../store/calendars.ts";
import { tryText } from "./check-text.ts";

const SHOWN_EVENTS = 5;
const never = new AbortController().signal;

/** Parses and expands with pauses for others. @param reader whose time zone whole days are of */
export async function viewCalendar(
  { settings, ical, refreshedAt, nextAt, lastError, lastErrorCode }: CalendarRow,
  reader: { readonly at: number; readonly timezone: string },
): Promise<CalendarView> {
  const read = ical === null ? undefined : await tryText(ical);
  const calendar = read instanceof Calendar ? read : undefined;
  const error = lastError ?? (read instanceof Calendar ? null : describeRefused(read));
  const code = lastError === null ? "invalid" : lastErrorCode;
  const next = calendar?.nextAfter(reader.at, SHOWN_EVENTS, reader.timezone);
  const { url, ...rest } = settings;
  return {
    ...rest,
    ...(url === undefined ? ical !== null && { ical } : { url: hideUrl(url) }),
    events: calendar?.size ?? 0,
    ...(calendar && viewSkipped(calendar)),
    next_events: next ? (await finishInSteps(next, never)).map(viewOccurrence) : [],
    ...(refreshedAt !== null && {
      refreshed_date: formatDate(refreshedAt),
      refreshed_timestamp: refreshedAt / 1000,
    }),
    ...(nextAt !== null && { next_refresh_date: formatDate(nextAt), next_refresh_timestamp: nextAt / 1000 }),
    ...(error !== null && { last_error: error, ...(code && { last_error_code: code }) }),
  };
}

/** A text that an earlier version accepted. */
function describeRefused(error: Error | undefined): string | null {
  return error ? `its text is refused, and no event is in force: ${error.message}` : null;
}

/** Empty where all events are read. */
export function viewSkipped({ skipped, skippedCount }: Calendar): SkippedEventsView {
  return skippedCount === 0 ? {} : { skipped, skipped_events: skippedCount };
}

function viewOccurrence({
  summary,
  isAllDay,
  fromAt,
  toAt,
}: Occurrence): CalendarView["next_events"][number] {
  return {
    summary,
    all_day: isAllDay,
    start_date: formatDate(fromAt),
    start_timestamp: fromAt / 1000,
    end_date: formatDate(toAt),
    end_timestamp: toAt / 1000,
  };
}
