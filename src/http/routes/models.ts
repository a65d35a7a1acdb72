// Routes of models: settings and versions.
import { Type } from "@sinclair/typebox";
import { Model, Version } from "../../api/model.ts";
import { TemplateParameters } from "../../api/template.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { ModelSettings } from "../../core/model/model.ts";
import { modelStates } from "../../core/model/model-state.ts";
import { deleterOf } from "../framework/access.ts";
import { created, deleted, noContent, withAdvice } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readIfMatch, readName, readNames, readShownNames } from "../framework/names.ts";
import { Created, NoContent } from "../framework/noun-routes.ts";
import {
  commonQuery,
  listParams,
  listQuery,
  mergeParams,
  parameters,
  pathNames,
  pathParams,
  query,
} from "../framework/params.ts";

const names = pathNames("Model names, separated by `;`");
const name = pathNames("Model name");
const tags = ["models"];
const modelsQuery = {
  ...listQuery,
  sort: optional.text("`field:1` or `field:-1`; `state:1`: worst first"),
  state: optional.text(`${modelStates.join(", ")}; several separated by \`;\``),
  q: optional.text("Part of the name"),
};

type Deps = Pick<AppDeps, "models" | "templates" | "advice">;

const aboutAdvice =
  "The header `X-Torus-Advice` names buckets of the settings that do not exist, and mute windows that match no live series.";

/** Routes of models. */
export function createModelRoutes({ models, templates, advice }: Deps) {
  return createInstance()
    .get("/models", ({ query }) => models.list(listParams(query)), {
      query: query(modelsQuery),
      response: documented(Type.Array(Model)),
      detail: {
        scope: "read",
        summary: "List all models, or those of a state or name",
        description:
          "With `state`, `q` or `sort=state:1` the header `X-State-Counts` has the number of models in each state " +
          "whose names match `q`, as in `failing=2, live=40`.",
        tags,
      },
    })
    .post(
      "/models",
      async ({ query: { from_template: template }, body }) => {
        const settings = template ? await templates.fill(readName(template), body) : body;
        await models.create(settings);
        return withAdvice(created(), await advice.onModel(settings));
      },
      {
        query: query({
          ...commonQuery,
          from_template: optional.text("Template to fill in; the body holds its parameters by name"),
        }),
        body: documented(Type.Union([ModelSettings, TemplateParameters])),
        response: Created,
        detail: {
          scope: "admin",
          summary: "Create a model",
          description: aboutAdvice,
          conflict: "A model of this name exists",
          tags,
        },
      },
    )
    .use(createNamedRoutes({ models, advice }))
    .use(createVersionRoutes(models));
}

function createNamedRoutes({ models, advice }: Omit<Deps, "templates">) {
  return createInstance()
    .get(
      "/models/:names",
      ({ params, query }) => models.get(readShownNames(params.names, query), listParams(query)),
      {
        params: names,
        query: query(listQuery),
        response: documented(Type.Array(Model)),
        detail: { scope: "read", summary: "Get models, one entry per name", tags },
      },
    )
    .patch(
      "/models/:names",
      async ({ params, body, request }) => {
        const known = readNames(params.names);
        await models.patch(known, body, readIfMatch(request, known));
        return withAdvice(noContent(), await advice.onModel(body, known));
      },
      {
        params: names,
        body: documented(Type.Partial(ModelSettings, { $id: "ModelChange", additionalProperties: false })),
        response: NoContent,
        detail: {
          scope: "admin",
          summary: "Change settings of models",
          description: aboutAdvice,
          precondition: true,
          tags,
        },
      },
    )
    .delete(
      "/models/:names",
      async ({ params, request }) =>
        deleted(await models.remove(readNames(params.names), deleterOf(request))),
      {
        params: names,
        response: NoContent,
        detail: { scope: "admin", summary: "Delete models", tags },
      },
    );
}

function createVersionRoutes(models: AppDeps["models"]) {
  const version = pathParams({ names: "Model name", version: "Version name, as in 00" });
  const restoreParameters = {
    version: needed(optional.text("Version name, as in 00; required")),
  };
  return createInstance()
    .get(
      "/models/:names/versions",
      ({ params, query }) => models.versions(readName(params.names), listParams(query)),
      {
        params: name,
        query: query(listQuery),
        response: documented(Type.Array(Version)),
        detail: {
          scope: "read",
          summary:
            "List the versions of a model, one per training; `server.versions_kept` limits their number",
          tags,
        },
      },
    )
    .get(
      "/models/:names/versions/:version",
      ({ params }) => models.version(readName(params.names), params.version),
      {
        params: version,
        response: documented(Version),
        detail: { scope: "read", summary: "Get a version of a model", tags },
      },
    )
    .post(
      "/models/:names/_restore",
      ({ params, query, body }) =>
        models.restore(readName(params.names), mergeParams(query, body).version).then(noContent),
      {
        params: name,
        ...parameters("RestoreParameters", restoreParameters),
        response: NoContent,
        detail: { scope: "run", summary: "Activate a version", tags },
      },
    );
}
