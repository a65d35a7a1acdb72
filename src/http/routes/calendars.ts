// Routes of calendars: iCalendar texts and addresses that mute windows, holidays and known events refer to.
import { Type } from "@sinclair/typebox";
import { Calendar, CalendarChange, SkippedEvents } from "../../api/calendars/index.ts";
import { CalendarSettings } from "../../core/calendar/settings.ts";
import { deleterOf } from "../framework/access.ts";
import { Answer, created, deleted, noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readIfMatch, readName, readNames } from "../framework/names.ts";
import { createReadRoutes, NoContent } from "../framework/noun-routes.ts";
import { pathNames } from "../framework/params.ts";

const tags = ["calendars"];
const params = pathNames("Calendar names, separated by `;`");

/** Routes of calendars; POST and PUT are equivalent. */
export function createCalendarRoutes({ calendars }: Pick<AppDeps, "calendars">) {
  const put = async ({ body }: { body: unknown }) => {
    const skipped = await calendars.put(body);
    return skipped.skipped ? new Answer(201, skipped) : created();
  };
  const response = { 201: documented(Type.Union([Type.Literal("success"), SkippedEvents])) };
  const detail = {
    scope: "admin" as const,
    summary: "Create or replace a calendar",
    description:
      "An address is read soon after; `_refresh` waits for it. Where a replaced calendar has the same address, the text read from it stays in force. The address as answers show it means the stored one. Events that cannot be read are left out, and the answer names them.",
    tags,
  };
  const schema = { body: documented(CalendarSettings), response, detail };
  return createReadRoutes(calendars, { noun: "calendars", params, entry: Calendar })
    .put("/calendars", put, schema)
    .post("/calendars", put, schema)
    .use(createNamedRoutes(calendars));
}

function createNamedRoutes(calendars: AppDeps["calendars"]) {
  return createInstance()
    .patch(
      "/calendars/:names",
      async ({ params, body, request }) => {
        const names = readNames(params.names);
        const skipped = await calendars.patch(names, body, readIfMatch(request, names));
        return skipped.skipped ? new Answer(200, skipped) : noContent();
      },
      {
        params,
        body: documented(CalendarChange),
        response: { 200: documented(SkippedEvents), ...NoContent },
        detail: { scope: "admin", summary: "Change calendars", precondition: true, tags },
      },
    )
    .delete(
      "/calendars/:names",
      async ({ params, request }) =>
        deleted(await calendars.remove(readNames(params.names), deleterOf(request))),
      {
        params,
        response: NoContent,
        detail: {
          scope: "admin",
          summary: "Delete calendars",
          conflict:
            "A model refers to the calendar; remove it from `mute`, `holidays` and `known_events` first",
          tags,
        },
      },
    )
    .post("/calendars/:names/_refresh", ({ params }) => calendars.refresh(readName(params.names)), {
      params: pathNames("Calendar name"),
      response: documented(Calendar),
      detail: {
        scope: "admin",
        summary: "Read the address of a calendar now",
        description: "A failure is `last_error` of the answer; the text read before stays in force.",
        tags,
      },
    });
}
