// Routes of the session: rights of the sender, and the kinds that settings may name.
import { Kinds } from "../../api/kinds.ts";
import { ExternalUrlInput, Session } from "../../api/server/session.ts";
import { listKinds } from "../../resources/kinds.ts";
import { principalOf } from "../framework/access.ts";
import { noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { NoContent } from "../framework/noun-routes.ts";

const tags = ["session"];

/** Routes of the session. */
export function createSessionRoutes({
  session,
  putExternalUrl,
}: Pick<AppDeps, "session" | "putExternalUrl">) {
  return createInstance()
    .put("/external_url", ({ body }) => putExternalUrl(body).then(noContent), {
      body: documented(ExternalUrlInput),
      response: NoContent,
      detail: {
        scope: "admin",
        summary: "Set the address of this server for people, to which hooks link",
        description:
          "Where `server.external_url` is set that is in force, and the answer a 400. `null` removes it.",
        tags,
      },
    })
    .get("/session", ({ request }) => session.describe(principalOf(request)), {
      response: documented(Session),
      detail: { scope: "read", summary: "Get the rights of the sender, version and limits", tags },
    })
    .get("/kinds", () => listKinds(), {
      response: documented(Kinds),
      detail: {
        scope: "read",
        summary: "List the kinds of buckets, hooks, models and metrics, with their settings",
        tags,
      },
    });
}
