// Routes of hooks: receivers of the events of a model, and global ones, of all models or those that a selector matches.
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  Delivery,
  GlobalDelivery,
  GlobalHook,
  HookPreview,
  NamedGlobalHook,
  NamedHook,
} from "../../../api/hook.ts";
import { optional } from "../../../core/input/optional.ts";
import { Hook } from "../../../resources/shared/kinds.ts";
import { deleterOf } from "../../framework/access.ts";
import { Answer, created, deleted, withAdvice } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { readName } from "../../framework/names.ts";
import { Created } from "../../framework/noun-routes.ts";
import { commonQuery, listParams, listQuery, query } from "../../framework/params.ts";

type PathParams = { readonly names: string; readonly hook: string };

/** The hooks of a model, or the global ones. */
interface Family {
  readonly path: string;
  /** Parameters of the path. */
  readonly parameters: TProperties;
  /** Model of the hooks; null: they are global. */
  readonly modelOf: (params: PathParams) => string | null;
  readonly schemas: Readonly<Record<"hook" | "named" | "delivery", TSchema>>;
  readonly texts: Readonly<
    Record<
      "list" | "put" | "preview" | "aboutPreview" | "get" | "replace" | "remove" | "test" | "deliveries",
      string
    >
  >;
  /** Description of what writes a hook. */
  readonly about: string;
}

const ofModel: Family = {
  path: "/models/:names/hooks",
  parameters: { names: Type.String({ description: "Model name" }) },
  modelOf: ({ names }) => readName(names),
  schemas: { hook: Hook, named: NamedHook, delivery: Delivery },
  texts: {
    list: "List the names of a model's hooks",
    put: "Attach a hook, or replace the one of its name",
    preview: "Show what a hook would send about the last anomaly",
    aboutPreview:
      "Nothing is stored or sent. A model without an anomaly takes that of a test; secrets that are left out are those of the stored hook of the name.",
    get: "Get a hook, without its secrets",
    replace: "Replace a hook; secrets not given stay",
    remove: "Delete a hook",
    test: "Deliver a start and an end of a test anomaly",
    deliveries: "List the last deliveries of a hook, newest first",
  },
  about:
    "The header `X-Torus-Advice` names events that the settings of the model rule out, and a bucket that does not exist.",
};

const putGlobal = "Create a global hook, or replace the one of its name; secrets not given stay";
const ofAllModels: Family = {
  path: "/hooks",
  parameters: {},
  modelOf: () => null,
  schemas: { hook: GlobalHook, named: NamedGlobalHook, delivery: GlobalDelivery },
  texts: {
    list: "List the names of the global hooks",
    put: putGlobal,
    preview: "Show what a global hook would send about the last anomaly that its selector matches",
    aboutPreview:
      "Nothing is stored or sent. Without such an anomaly it is that of a test; secrets that are left out are those of the stored hook of the name.",
    get: "Get a global hook, without its secrets",
    replace: putGlobal,
    remove: "Delete a global hook and its waiting deliveries",
    test: "Deliver a start and an end of a test anomaly, of a model that the selector matches",
    deliveries: "List the last deliveries of a global hook, newest first",
  },
  about:
    "The header `X-Torus-Advice` names conditions of the selector that no model meets, and a bucket that does not exist.",
};

const Success = documented(Type.Literal("success"));
const tags = ["hooks"];

type Deps = Pick<AppDeps, "hooks" | "advice">;

/** Routes of hooks of models, and of global hooks. Old clients write with POST where others use PUT. */
export function createHookRoutes(deps: Deps) {
  const create = (family: Family) => createListRoutes(deps, family).use(createNamedRoutes(deps, family));
  return create(ofModel).use(create(ofAllModels));
}

function createListRoutes(
  { hooks, advice }: Deps,
  { path, parameters, modelOf, schemas, texts, about }: Family,
) {
  const params = documented<PathParams>(Type.Object(parameters));
  const body = documented(schemas.hook);
  const put = async ({ params, body }: { params: PathParams; body: unknown }) => {
    const model = modelOf(params);
    await hooks.put(model, body);
    return withAdvice(created(), await advice.onHook(model, body));
  };
  const detail = { scope: "admin" as const, summary: texts.put, description: about, tags };
  const schema = { params, body, response: Created, detail };
  return createInstance()
    .get(path, ({ params, query }) => hooks.list(modelOf(params), query), {
      params,
      query: query({
        ...commonQuery,
        full: optional.flag("Return hooks instead of names"),
      }),
      response: documented(Type.Union([Type.Array(Type.String()), Type.Array(schemas.hook)])),
      detail: { scope: "read", summary: texts.list, tags },
    })
    .put(path, put, schema)
    .post(path, put, schema)
    .post(`${path}/_preview`, ({ params, body }) => hooks.preview(modelOf(params), body), {
      params,
      body,
      response: documented(Type.Array(HookPreview)),
      detail: {
        scope: "read",
        summary: texts.preview,
        description: texts.aboutPreview,
        idempotent: true,
        tags,
      },
    });
}

function createNamedRoutes(
  { hooks, advice }: Deps,
  { parameters, modelOf, schemas, texts, about, ...family }: Family,
) {
  const path = `${family.path}/:hook`;
  const hook = Type.String({ description: "Hook name" });
  const params = documented<PathParams>(Type.Object({ ...parameters, hook }));
  const replace = async ({ params, body }: { params: PathParams; body: unknown }) => {
    const model = modelOf(params);
    await hooks.put(model, body, params.hook);
    return withAdvice(success(), await advice.onHook(model, body));
  };
  const detail = { scope: "admin" as const, summary: texts.replace, description: about, tags };
  const schema = { params, body: documented(schemas.named), response: Success, detail };
  return createInstance()
    .get(path, ({ params }) => hooks.get(modelOf(params), params.hook), {
      params,
      response: documented(schemas.hook),
      detail: { scope: "read", summary: texts.get, tags },
    })
    .put(path, replace, schema)
    .post(path, replace, schema)
    .delete(
      path,
      async ({ params, request }) =>
        deleted(await hooks.remove(modelOf(params), params.hook, deleterOf(request)), success()),
      {
        params,
        response: Success,
        detail: { scope: "admin", summary: texts.remove, tags },
      },
    )
    .post(`${path}/_test`, ({ params }) => hooks.test(modelOf(params), params.hook).then(success), {
      params,
      response: Success,
      detail: { scope: "run", summary: texts.test, tags },
    })
    .get(
      `${path}/deliveries`,
      ({ params, query }) => hooks.deliveries(modelOf(params), params.hook, listParams(query)),
      {
        params,
        query: query(listQuery),
        response: documented(Type.Array(schemas.delivery)),
        detail: { scope: "read", summary: texts.deliveries, tags },
      },
    );
}

/** 200 without a resource in the body. */
function success(): Answer {
  return new Answer(200, "success");
}
