// Routes of hooks: whom a model tells of its anomalies.
import { Type } from "@sinclair/typebox";
import { Answer, created } from "./answer.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName } from "./names.ts";
import { commonQuery, pathNames, query } from "./params.ts";

const Config = Type.Record(Type.String(), Type.Unknown(), { description: "Settings of that type" });
const type = Type.String({ description: "Type of the hook: `mail`, `annotations`" });
const Hook = Type.Object({ name: Type.String({ description: "Name of the hook" }), type, config: Config });
const NamedHook = Type.Object({ type, config: Config });
const success = documented(Type.Literal("success"));
const tags = ["hooks"];

/** Done, for a change that has no better body. */
function replaced(): Answer {
  return new Answer(200, "success");
}

/** Routes of hooks. Old clients write with POST where others use PUT. */
export function createHookRoutes({ hooks }: Pick<AppDeps, "hooks">) {
  const params = pathNames("Model name");
  const attach = async ({ params, body }: { params: { names: string }; body: unknown }) => {
    await hooks.put(readName(params.names), body);
    return created();
  };
  const schema = { params, query: query(), body: documented(Hook), response: { 201: success } };
  return createInstance()
    .get("/models/:names/hooks", ({ params, query }) => hooks.list(readName(params.names), query), {
      params,
      query: query({
        ...commonQuery,
        full: Type.Optional(Type.Boolean({ description: "The hooks instead of their names" })),
      }),
      response: documented(Type.Union([Type.Array(Type.String()), Type.Array(Hook)])),
      detail: { summary: "Names of a model's hooks", tags },
    })
    .put("/models/:names/hooks", attach, {
      ...schema,
      detail: { summary: "Attach a hook, or replace the one of its name", tags },
    })
    .post("/models/:names/hooks", attach, {
      ...schema,
      detail: { summary: "Attach a hook, or replace the one of its name", tags },
    })
    .use(createNamedHookRoutes(hooks));
}

function createNamedHookRoutes(hooks: AppDeps["hooks"]) {
  const params = documented<{ names: string; hook: string }>(
    Type.Object({
      names: Type.String({ description: "Model name" }),
      hook: Type.String({ description: "Hook name" }),
    }),
  );
  const replace = async ({ params, body }: { params: { names: string; hook: string }; body: unknown }) => {
    await hooks.replace(readName(params.names), params.hook, body);
    return replaced();
  };
  const schema = { params, query: query(), body: documented(NamedHook), response: success };
  return createInstance()
    .get("/models/:names/hooks/:hook", ({ params }) => hooks.get(readName(params.names), params.hook), {
      params,
      query: query(),
      response: documented(Hook),
      detail: { summary: "A hook, without its secrets", tags },
    })
    .put("/models/:names/hooks/:hook", replace, {
      ...schema,
      detail: { summary: "Replace a hook; secrets not given stay", tags },
    })
    .post("/models/:names/hooks/:hook", replace, {
      ...schema,
      detail: { summary: "Replace a hook; secrets not given stay", tags },
    })
    .delete(
      "/models/:names/hooks/:hook",
      async ({ params }) => {
        await hooks.remove(readName(params.names), params.hook);
        return replaced();
      },
      { params, query: query(), response: success, detail: { summary: "Delete a hook", tags } },
    );
}
