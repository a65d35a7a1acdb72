// Routes of the session: rights of the sender, and the kinds that settings may name.
import { Kinds } from "../../api/kinds.ts";
import { Session } from "../../api/server/session.ts";
import { listKinds } from "../../resources/kinds.ts";
import { principalOf } from "../framework/access.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";

const tags = ["session"];

/** Routes of the session. */
export function createSessionRoutes({ session }: Pick<AppDeps, "session">) {
  return createInstance()
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
