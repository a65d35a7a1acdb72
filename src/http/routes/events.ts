// Route of events: a stream of changes (server-sent events), or a list of those missed.
import { Type } from "@sinclair/typebox";
import { EventStream, ServerEvent } from "../../api/event.ts";
import type { Principal } from "../../core/access/token.ts";
import { changeTypes } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import { optional } from "../../core/input/optional.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { principalOf } from "../framework/access.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { commonQuery, query } from "../framework/params.ts";

/** Of proxies: nginx would collect the answer before it sends it. */
const streamHeaders = { "content-type": "text/event-stream", "x-accel-buffering": "no" };

const parameters = {
  ...commonQuery,
  types: optional.text(`Some of \`${changeTypes.join(";")}\`; default: all`),
  models: optional.text("Only changes of these models, separated by `;`"),
  follow: Type.Optional(
    Type.Boolean({ default: true, description: "With `false` a list of the events missed, in JSON" }),
  ),
  last_event_id: optional.text("As the header `Last-Event-ID`, which wins: the last event the client has"),
};

/** Route of events. */
export function createEventRoutes({
  events,
  tokens,
  holdOpen,
  auth,
}: Pick<AppDeps, "events" | "tokens" | "holdOpen" | "auth">) {
  return createInstance().get(
    "/events",
    async ({ query, request }) => {
      const lastId = request.headers.get("last-event-id") ?? query.last_event_id;
      const asked = { params: query, lastId };
      if (!parseBoolean(query.follow ?? true, "follow")) return events.list(asked);
      const principal = principalOf(request);
      if (principal.scheduledJob !== undefined)
        throw new TorusError("not_supported", "a scheduled job cannot follow events: use follow=false");
      if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
      holdOpen(request);
      const client = auth.clientOf(request, principal);
      const stream = await events.stream({
        ...asked,
        client,
        isAllowed: () => isAllowed(tokens, principal),
      });
      return new Response(stream, { headers: streamHeaders });
    },
    {
      query: query(parameters),
      response: documented(EventStream),
      detail: {
        scope: "read",
        summary: "Follow changes of models, live detection, anomalies, jobs, buckets and deliveries",
        description:
          "A client that comes back with the id of its last event gets those it missed, up to the last 1000 of all clients.",
        media: { "application/json": Type.Array(ServerEvent) },
        tags: ["events"],
      },
    },
  );
}

/** Whether the sender of an open stream could still open it. */
function isAllowed(tokens: AppDeps["tokens"], { token }: Principal): boolean {
  if (!tokens.isOn) return true;
  return token !== undefined && tokens.isValid(token);
}
