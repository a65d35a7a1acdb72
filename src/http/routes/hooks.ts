// Routes of the hooks of a model: receivers of its events.
import { Type } from "@sinclair/typebox";
import { Delivery, HookPreview, NamedHook } from "../../api/hook.ts";
import { Hook } from "../../resources/shared/kinds.ts";
import { Answer, created } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { commonQuery, listParams, listQuery, pathNames, query } from "../framework/params.ts";

const Success = documented(Type.Literal("success"));
const tags = ["hooks"];

const hookParams = documented<{ names: string; hook: string }>(
  Type.Object({
    names: Type.String({ description: "Model name" }),
    hook: Type.String({ description: "Hook name" }),
  }),
);

/** 200 without a resource in the body. */
function success(): Answer {
  return new Answer(200, "success");
}

/** Routes of hooks. Old clients write with POST where others use PUT. */
export function createHookRoutes({ hooks }: Pick<AppDeps, "hooks">) {
  const params = pathNames("Model name");
  const attach = async ({ params, body }: { params: { names: string }; body: unknown }) => {
    await hooks.put(readName(params.names), body);
    return created();
  };
  const schema = { params, query: query(), body: documented(Hook), response: { 201: Success } };
  return createInstance()
    .get("/models/:names/hooks", ({ params, query }) => hooks.list(readName(params.names), query), {
      params,
      query: query({
        ...commonQuery,
        full: Type.Optional(Type.Boolean({ description: "Return hooks instead of names" })),
      }),
      response: documented(Type.Union([Type.Array(Type.String()), Type.Array(Hook)])),
      detail: { scope: "read", summary: "List the names of a model's hooks", tags },
    })
    .put("/models/:names/hooks", attach, {
      ...schema,
      detail: { scope: "admin", summary: "Attach a hook, or replace the one of its name", tags },
    })
    .post("/models/:names/hooks", attach, {
      ...schema,
      detail: { scope: "admin", summary: "Attach a hook, or replace the one of its name", tags },
    })
    .post(
      "/models/:names/hooks/_preview",
      ({ params, body }) => hooks.preview(readName(params.names), body),
      {
        params,
        query: query(),
        body: documented(Hook),
        response: documented(Type.Array(HookPreview)),
        detail: {
          scope: "read",
          summary: "Show what a hook would send about the last anomaly",
          description:
            "Nothing is stored or sent. A model without an anomaly takes that of a test; secrets that are left out are those of the stored hook of the name.",
          tags,
        },
      },
    )
    .use(createNamedHookRoutes(hooks));
}

function createNamedHookRoutes(hooks: AppDeps["hooks"]) {
  const params = hookParams;
  const replace = async ({ params, body }: { params: { names: string; hook: string }; body: unknown }) => {
    await hooks.replace(readName(params.names), params.hook, body);
    return success();
  };
  const schema = { params, query: query(), body: documented(NamedHook), response: Success };
  return createInstance()
    .get("/models/:names/hooks/:hook", ({ params }) => hooks.get(readName(params.names), params.hook), {
      params,
      query: query(),
      response: documented(Hook),
      detail: { scope: "read", summary: "Get a hook, without its secrets", tags },
    })
    .put("/models/:names/hooks/:hook", replace, {
      ...schema,
      detail: { scope: "admin", summary: "Replace a hook; secrets not given stay", tags },
    })
    .post("/models/:names/hooks/:hook", replace, {
      ...schema,
      detail: { scope: "admin", summary: "Replace a hook; secrets not given stay", tags },
    })
    .delete(
      "/models/:names/hooks/:hook",
      async ({ params }) => {
        await hooks.remove(readName(params.names), params.hook);
        return success();
      },
      {
        params,
        query: query(),
        response: Success,
        detail: { scope: "admin", summary: "Delete a hook", tags },
      },
    )
    .use(createDeliveryRoutes(hooks));
}

function createDeliveryRoutes(hooks: AppDeps["hooks"]) {
  return createInstance()
    .post(
      "/models/:names/hooks/:hook/_test",
      async ({ params }) => {
        await hooks.test(readName(params.names), params.hook);
        return success();
      },
      {
        params: hookParams,
        query: query(),
        response: Success,
        detail: { scope: "run", summary: "Deliver a start and an end of a test anomaly", tags },
      },
    )
    .get(
      "/models/:names/hooks/:hook/deliveries",
      ({ params, query }) => hooks.deliveries(readName(params.names), params.hook, listParams(query)),
      {
        params: hookParams,
        query: query(listQuery),
        response: documented(Type.Array(Delivery)),
        detail: { scope: "read", summary: "List the last deliveries of a hook, newest first", tags },
      },
    );
}
