// Routes of calendars: iCalendar texts and addresses that mute windows, holidays and known events refer to.
import { Type } from "@sinclair/typebox";
import { Calendar, CalendarChange, SkippedEvents } from "../../api/calendars/index.ts";
import { CalendarSettings } from "../../core/calendar/settings.ts";
import { Answer, created, noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readIfMatch, readName, readNames, readShownNames } from "../framework/names.ts";
import { listParams, listQuery, pathNames, query } from "../framework/params.ts";

const tags = ["calendars"];
const list = documented(Type.Array(Calendar));

/** Routes of calendars; POST and PUT are equivalent. */
export function createCalendarRoutes({ calendars }: Pick<AppDeps, "calendars">) {
  const put = async ({ body }: { body: unknown }) => {
    const skipped = await calendars.put(body);
    return skipped.skipped ? new Answer(201, skipped) : created();
  };
  const response = { 201: documented(Type.Union([Type.Literal("success"), SkippedEvents])) };
  const schema = { query: query(), body: documented(CalendarSettings), response };
  const detail = {
    scope: "admin",
    summary: "Create or replace a calendar",
    description:
      "An address is read soon after; `_refresh` waits for it. Where a replaced calendar has the same address, the text read from it stays in force. The address as answers show it means the stored one. Events that cannot be read are left out, and the answer names them.",
    tags,
  } as const;
  return createInstance()
    .get("/calendars", ({ query }) => calendars.list(listParams(query)), {
      query: query(listQuery),
      response: list,
      detail: { scope: "read", summary: "List all calendars", tags },
    })
    .put("/calendars", put, { ...schema, detail })
    .post("/calendars", put, { ...schema, detail })
    .use(createNamedRoutes(calendars));
}

function createNamedRoutes(calendars: AppDeps["calendars"]) {
  const params = pathNames("Calendar names, separated by `;`");
  return createInstance()
    .get(
      "/calendars/:names",
      ({ params, query }) => calendars.get(readShownNames(params.names, query), listParams(query)),
      {
        params,
        query: query(listQuery),
        response: list,
        detail: { scope: "read", summary: "Get calendars, one entry per name", tags },
      },
    )
    .patch(
      "/calendars/:names",
      async ({ params, body, request }) => {
        const names = readNames(params.names);
        const skipped = await calendars.patch(names, body, readIfMatch(request, names));
        return skipped.skipped ? new Answer(200, skipped) : noContent();
      },
      {
        params,
        query: query(),
        body: documented(CalendarChange),
        response: { 200: documented(SkippedEvents), 204: documented(Type.Null()) },
        detail: { scope: "admin", summary: "Change calendars", precondition: true, tags },
      },
    )
    .delete(
      "/calendars/:names",
      async ({ params }) => {
        await calendars.remove(readNames(params.names));
        return noContent();
      },
      {
        params,
        query: query(),
        response: { 204: documented(Type.Null()) },
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
      query: query(),
      response: documented(Calendar),
      detail: {
        scope: "admin",
        summary: "Read the address of a calendar now",
        description: "A failure is `last_error` of the answer; the text read before stays in force.",
        tags,
      },
    });
}
