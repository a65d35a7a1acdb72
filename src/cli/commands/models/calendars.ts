// Commands of calendars: events that mute windows, holidays and known events refer to.
import type { CalendarView, SkippedEventsView } from "../../../api/calendars/index.ts";
import { invalid } from "../../../core/errors.ts";
import { pathOf } from "../../client/client.ts";
import { type Context, defineCommand } from "../../command/command.ts";
import { forceOption } from "../../command/options.ts";
import { readText } from "../../input/files.ts";
import { answerDone, instantColumn } from "../../output/present.ts";
import { countOf } from "../../terminal/format.ts";
import { clean } from "../../terminal/table.ts";
import { namedCommands } from "../named.ts";

const named = namedCommands<CalendarView>(
  { noun: "calendar", group: "calendars" },
  {
    list: {
      summary: "List the calendars",
      effect: "name, source, events and last reading of each",
      columns: (context) => [
        { title: "SOURCE", value: ({ url }) => url ?? "-" },
        { title: "EVENTS", value: ({ events }) => String(events) },
        { title: "SKIPPED", value: ({ skipped_events }) => String(skipped_events ?? "-") },
        instantColumn(context, "READ", {
          at: ({ refreshed_timestamp }) => refreshed_timestamp,
          isWhole: true,
        }),
        { title: "ERROR", value: ({ last_error }) => last_error ?? "-" },
      ],
      empty: "no calendars yet: torus create-calendar",
    },
    show: {
      summary: "Show calendars with their next events",
      example: ["sales", "as YAML, without the secret of an address"],
    },
    delete: {
      summary: "Delete calendars that no model refers to",
      example: ["sales", "refused while a model uses it"],
    },
  },
);

const createCalendar = defineCommand({
  name: "create-calendar",
  group: "calendars",
  summary: "Create a calendar from an iCalendar file, or from its address",
  arguments: {
    calendar: { description: "Calendar name" },
    file: { description: "iCalendar file; - reads standard input; absent with --url", optional: true },
  },
  options: {
    url: { value: "URL", description: "Address that the server reads it from, in place of FILE" },
    refresh: {
      value: "DURATION",
      type: "duration",
      description: "How often the address is read (default: 1h)",
    },
    ...forceOption,
  },
  examples: [
    ["torus create-calendar sales sales.ics", "the events of a file"],
    [
      "torus create-calendar company --url https://calendar.example.com/basic.ics",
      "read by the server every hour",
    ],
  ],
  async run(context, { arguments: { calendar, file }, options: { url, refresh, force } }) {
    if ((file === undefined) === (url === undefined))
      throw invalid("FILE", "or --url is required, and only one of them");
    if (!force && (await calendarExists(context, calendar)))
      throw invalid(calendar, "is a calendar already: --force replaces it");
    const source = file === undefined ? { url } : { ical: await readText(file, context.terminal) };
    const body = { name: calendar, ...source, ...(refresh !== undefined && { refresh }) };
    const answer = await context.client.call<SkippedEventsView | "success">("POST /calendars", {
      body,
      status: 201,
    });
    answerDone(context, answer, `created calendar ${calendar}`);
    if (answer !== "success") noteSkipped(context, answer);
    if (url !== undefined) await noteFailure(context, calendar);
  },
});

async function calendarExists({ client }: Context, calendar: string): Promise<boolean> {
  return (await client.find(`GET ${pathOf("calendars", [calendar])}`)) !== undefined;
}

async function noteFailure(context: Context, calendar: string): Promise<void> {
  const { last_error } = await context.client.call<CalendarView>(
    `POST ${pathOf("calendars", [calendar])}/_refresh`,
  );
  if (last_error !== undefined) context.note(clean(`created, but not read yet: ${last_error}`));
}

function noteSkipped(context: Context, { skipped = [], skipped_events: count = 0 }: SkippedEventsView): void {
  for (const { event, summary, reason } of skipped)
    context.note(clean(`left out: event ${event}${summary === "" ? "" : ` (${summary})`}: ${reason}`));
  if (count > skipped.length) context.note(`left out: ${count - skipped.length} more events`);
}

const refreshCalendar = defineCommand({
  name: "refresh-calendar",
  group: "calendars",
  summary: "Read the address of a calendar now",
  arguments: { calendar: { description: "Calendar name" } },
  examples: [["torus refresh-calendar company", "without waiting for the next hour"]],
  async run(context, { arguments: { calendar } }) {
    const view = await context.client.call<CalendarView>(`POST ${pathOf("calendars", [calendar])}/_refresh`);
    if (view.last_error !== undefined) throw invalid(calendar, `was not read: ${view.last_error}`);
    answerDone(context, view, `read calendar ${calendar}: ${countOf(view.events, "event")}`);
    noteSkipped(context, view);
  },
});

export const calendarCommands = [createCalendar, named.list, named.show, refreshCalendar, named.remove];
