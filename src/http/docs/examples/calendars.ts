// Examples of calendars.
import type { ApiExample } from "./shared.ts";

const ical = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:sale@example.com",
  "SUMMARY:Summer sale",
  "DTSTART;VALUE=DATE:20270712",
  "DTEND;VALUE=DATE:20270715",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\n");

const shown = {
  name: "sales",
  events: 1,
  next_events: [
    {
      summary: "Summer sale",
      all_day: true,
      start_date: "2027-07-12T00:00:00.000Z",
      start_timestamp: 1815350400,
      end_date: "2027-07-15T00:00:00.000Z",
      end_timestamp: 1815609600,
    },
  ],
};
const read = {
  ...shown,
  name: "company",
  url: "https://calendar.example.com/***",
  refresh: "1h",
  refreshed_date: "2027-07-01T08:00:00.000Z",
  refreshed_timestamp: 1814428800,
  next_refresh_date: "2027-07-01T09:00:00.000Z",
  next_refresh_timestamp: 1814432400,
};

export const calendarsExamples: Readonly<Record<string, ApiExample>> = {
  "GET /calendars": { id: "listCalendars", response: [read, shown] },
  "POST /calendars": { id: "createCalendar", request: { name: "sales", ical }, response: "success" },
  "PUT /calendars": { id: "putCalendar", request: { name: "sales", ical }, response: "success" },
  "GET /calendars/:names": { id: "getCalendars", response: [{ ...shown, ical }] },
  "PATCH /calendars/:names": { id: "changeCalendars", request: { ical } },
  "DELETE /calendars/:names": { id: "deleteCalendars" },
  "POST /calendars/:names/_refresh": { id: "refreshCalendar", response: read },
};
