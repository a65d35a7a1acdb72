// Schema of calendars: their source, the state of its last reading, and the next events.
import { Type } from "@sinclair/typebox";
import { MAX_SKIPPED } from "../../core/calendar/parse.ts";
import { readingCodes } from "../../core/calendar/reading-code.ts";
import { calendarSettings } from "../../core/calendar/settings.ts";
import { optional } from "../../core/input/optional.ts";
import { type Shown, seconds } from "../shown.ts";

const { name, refresh, verify_ssl } = calendarSettings;

export const CalendarOccurrence = Type.Object(
  {
    summary: Type.String(),
    all_day: Type.Boolean({ description: "Whether it lasts whole days of the reader's time zone" }),
    start_date: Type.String({ format: "date-time" }),
    start_timestamp: seconds(),
    end_date: Type.String({ format: "date-time" }),
    end_timestamp: seconds(),
  },
  { $id: "CalendarOccurrence", description: "One occurrence of an event" },
);

const skippedEvents = {
  skipped: Type.Optional(
    Type.Array(
      Type.Object({
        event: Type.Integer({ minimum: 1, description: "Number of the event in the text" }),
        summary: Type.String(),
        reason: Type.String({ description: "Why it is left out" }),
      }),
      {
        description: `Events that are left out, as they cannot be read or repeat too often: the first ${MAX_SKIPPED}; absent where there are none`,
      },
    ),
  ),
  skipped_events: Type.Optional(
    Type.Integer({ minimum: 1, description: "Number of all events that are left out" }),
  ),
};

export const SkippedEvents = Type.Object(skippedEvents, {
  $id: "SkippedEvents",
  description: "Events of the text that are left out; the others are in force",
});
export type SkippedEventsView = Shown<typeof SkippedEvents>;

export const Calendar = Type.Object(
  {
    name,
    ical: optional.text("Text of a calendar without an address; not in lists of all"),
    url: optional.text("Scheme and host of the address: the rest is a secret"),
    refresh,
    verify_ssl,
    events: Type.Integer({ minimum: 0, description: "Events of the text, repeated ones counted once" }),
    ...skippedEvents,
    next_events: Type.Array(CalendarOccurrence, {
      description:
        "The next five within two years, in progress included; whole days by the server's time zone",
    }),
    refreshed_date: Type.Optional(
      Type.String({ format: "date-time", description: "Last successful reading of the address" }),
    ),
    refreshed_timestamp: Type.Optional(seconds()),
    next_refresh_date: Type.Optional(Type.String({ format: "date-time" })),
    next_refresh_timestamp: Type.Optional(seconds()),
    last_error: optional.text(
      "Why the last reading failed, and the text read before stays in force; or why a stored text is refused, and no event is in force",
    ),
    last_error_code: Type.Optional(
      Type.Union(
        readingCodes.map((code) => Type.Literal(code)),
        { description: `Kind of the error: ${readingCodes.join(", ")}` },
      ),
    ),
  },
  { $id: "Calendar" },
);
export type CalendarView = Shown<typeof Calendar>;

export const CalendarChange = Type.Record(Type.String(), Type.Unknown(), {
  $id: "CalendarChange",
  description: "Settings to change; null removes an optional one, `name` stays",
});
