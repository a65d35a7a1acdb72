// Routes of the deliveries and states of all hooks.
import { Type } from "@sinclair/typebox";
import { HookDelivery, HookState } from "../../../api/hook.ts";
import { optional } from "../../../core/input/optional.ts";
import { deliveryStates } from "../../../resources/deliveries.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { listParams, listQuery, query } from "../../framework/params.ts";

const tags = ["hooks"];
const { sort: _, ...paging } = listQuery;

/** Routes of the deliveries and states of all hooks. */
export function createDeliveryRoutes({ deliveries }: Pick<AppDeps, "deliveries">) {
  return createInstance()
    .get("/deliveries", ({ query }) => deliveries.list(query), {
      query: query({
        ...paging,
        state: optional.text(`Some of \`${deliveryStates.join(";")}\``),
        model: optional.text("Only those of these models, separated by `;`"),
        since: optional.text("Created at or after"),
      }),
      response: documented(Type.Array(HookDelivery)),
      detail: {
        scope: "read",
        summary: "List the deliveries of all hooks, newest first; without a page the newest 100",
        tags,
      },
    })
    .get("/hooks/_states", ({ query }) => deliveries.hooks(listParams(query)), {
      query: query(listQuery),
      response: documented(Type.Array(HookState)),
      detail: {
        scope: "read",
        summary: "List the hooks of all models and the global ones, with their targets and last deliveries",
        tags,
      },
    });
}
