// Routes of global hooks: receivers of events of all models, or of those a selector matches.
import { Type } from "@sinclair/typebox";
import {
  GlobalDelivery,
  GlobalHook,
  HookDelivery,
  HookPreview,
  HookState,
  NamedGlobalHook,
} from "../../api/hook.ts";
import { deliveryStates } from "../../resources/deliveries.ts";
import { Answer, created } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { commonQuery, listParams, listQuery, query } from "../framework/params.ts";

const success = documented(Type.Literal("success"));
const params = documented<{ hook: string }>(Type.Object({ hook: Type.String({ description: "Hook name" }) }));
const tags = ["hooks"];
const summaries = {
  put: "Create a global hook, or replace the one of its name; secrets not given stay",
};

/** Routes of global hooks; POST and PUT are equivalent, as for the hooks of models. */
export function createGlobalHookRoutes({
  globalHooks,
  deliveries,
}: Pick<AppDeps, "globalHooks" | "deliveries">) {
  const put = async ({ body }: { body: unknown }) => {
    await globalHooks.put(body);
    return created();
  };
  const schema = { query: query(), body: documented(GlobalHook), response: { 201: success } };
  const detail = { scope: "admin", summary: summaries.put, tags } as const;
  return createInstance()
    .get("/hooks", ({ query }) => globalHooks.list(query), {
      query: query({
        ...commonQuery,
        full: Type.Optional(Type.Boolean({ description: "Return hooks instead of names" })),
      }),
      response: documented(Type.Union([Type.Array(Type.String()), Type.Array(GlobalHook)])),
      detail: { scope: "read", summary: "List the names of the global hooks", tags },
    })
    .put("/hooks", put, { ...schema, detail })
    .post("/hooks", put, { ...schema, detail })
    .post("/hooks/_preview", ({ body }) => globalHooks.preview(body), {
      query: query(),
      body: documented(GlobalHook),
      response: documented(Type.Array(HookPreview)),
      detail: {
        scope: "read",
        summary: "Show what a global hook would send about the last anomaly that its selector matches",
        description:
          "Nothing is stored or sent. Without such an anomaly it is that of a test; secrets that are left out are those of the stored hook of the name.",
        tags,
      },
    })
    .use(createNamedRoutes(globalHooks))
    .use(createDeliveryRoutes(globalHooks))
    .use(createDeliveryList(deliveries));
}

function createNamedRoutes(globalHooks: AppDeps["globalHooks"]) {
  const replace = async ({ params, body }: { params: { hook: string }; body: unknown }) => {
    await globalHooks.put(body, params.hook);
    return done();
  };
  const schema = { params, query: query(), body: documented(NamedGlobalHook), response: success };
  const detail = { scope: "admin", summary: summaries.put, tags } as const;
  return createInstance()
    .get("/hooks/:hook", ({ params }) => globalHooks.get(params.hook), {
      params,
      query: query(),
      response: documented(GlobalHook),
      detail: { scope: "read", summary: "Get a global hook, without its secrets", tags },
    })
    .put("/hooks/:hook", replace, { ...schema, detail })
    .post("/hooks/:hook", replace, { ...schema, detail })
    .delete(
      "/hooks/:hook",
      async ({ params }) => {
        await globalHooks.remove(params.hook);
        return done();
      },
      {
        params,
        query: query(),
        response: success,
        detail: { scope: "admin", summary: "Delete a global hook and its waiting deliveries", tags },
      },
    );
}

function createDeliveryRoutes(globalHooks: AppDeps["globalHooks"]) {
  return createInstance()
    .post(
      "/hooks/:hook/_test",
      async ({ params }) => {
        await globalHooks.test(params.hook);
        return done();
      },
      {
        params,
        query: query(),
        response: success,
        detail: {
          scope: "run",
          summary: "Deliver a start and an end of a test anomaly, of a model that the selector matches",
          tags,
        },
      },
    )
    .get(
      "/hooks/:hook/deliveries",
      ({ params, query }) => globalHooks.deliveries(params.hook, listParams(query)),
      {
        params,
        query: query(listQuery),
        response: documented(Type.Array(GlobalDelivery)),
        detail: { scope: "read", summary: "List the last deliveries of a global hook, newest first", tags },
      },
    );
}

function createDeliveryList(deliveries: AppDeps["deliveries"]) {
  const text = (description: string) => Type.Optional(Type.String({ description }));
  const { sort: _, ...paging } = listQuery;
  return createInstance()
    .get("/deliveries", ({ query }) => deliveries.list(query), {
      query: query({
        ...paging,
        state: text(`Some of \`${deliveryStates.join(";")}\``),
        model: text("Only those of these models, separated by `;`"),
        since: text("Created at or after"),
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

function done(): Answer {
  return new Answer(200, "success");
}
