// View of a calendar: the address without its secret, the next events, and the state of the last reading.
import type { CalendarView } from "../../api/calendars/index.ts";
import { calendarOf, type Occurrence } from "../../core/calendar/calendar.ts";
import { hideUrl } from "../../core/calendar/settings.ts";
import { formatDate } from "../../core/time/time.ts";
import type { CalendarRow } from "../../store/calendars.ts";

const SHOWN_EVENTS = 5;

/** @param reader whose time zone whole days are of */
export function viewCalendar(
  { settings, ical, refreshedAt, nextAt, lastError }: CalendarRow,
  reader: { readonly at: number; readonly timezone: string },
): CalendarView {
  const calendar = ical === null ? undefined : calendarOf(ical);
  const { url, ...rest } = settings;
  return {
    ...rest,
    ...(url === undefined ? ical !== null && { ical } : { url: hideUrl(url) }),
    events: calendar?.size ?? 0,
    next_events: (calendar?.nextAfter(reader.at, SHOWN_EVENTS, reader.timezone) ?? []).map(viewOccurrence),
    ...(refreshedAt !== null && {
      refreshed_date: formatDate(refreshedAt),
      refreshed_timestamp: refreshedAt / 1000,
    }),
    ...(nextAt !== null && { next_refresh_date: formatDate(nextAt), next_refresh_timestamp: nextAt / 1000 }),
    ...(lastError !== null && { last_error: lastError }),
  };
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
