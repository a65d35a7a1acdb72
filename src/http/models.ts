// Routes of models: their settings and versions.
import { Type } from "@sinclair/typebox";
import { ModelSettings } from "../core/model.ts";
import { created, noContent } from "./answer.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName, readNames, readShownNames } from "./names.ts";
import { commonQuery, listParams, listQuery, mergeParams, pathNames, query } from "./params.ts";

const Model = Type.Object({
  settings: ModelSettings,
  state: Type.Object({
    trained: Type.Boolean(),
    loss: Type.Optional(Type.Number()),
    bucket_interval: Type.Optional(
      Type.Number({ description: "Length of one interval in seconds, as it was in the training" }),
    ),
    thresholds: Type.Optional(
      Type.Object(
        {
          max: Type.Number({ description: "An anomaly starts when the score exceeds it" }),
          min: Type.Number({ description: "An anomaly ends when the score falls below it" }),
          source: Type.Union(
            ["settings", "automatic", "mixed"].map((source) => Type.Literal(source)),
            { description: "`mixed`: one of them is set, the other follows from it" },
          ),
        },
        { description: "Thresholds in force; automatic ones depend on the length of an interval" },
      ),
    ),
    excluded: Type.Optional(
      Type.Integer({ description: "Intervals left out of the training: anomalies that were found in it" }),
    ),
    outliers: Type.Optional(
      Type.Integer({ description: "Points left out besides: gross anomalies that nobody had flagged" }),
    ),
  }),
  training: Type.Optional(Type.Object({ job_id: Type.String(), state: Type.String() })),
  live: Type.Optional(
    Type.Object({
      last_window: Type.Union([Type.Number(), Type.Null()], {
        description: "End of the last window, seconds",
      }),
      lag: Type.Union([Type.Number(), Type.Null()], { description: "Seconds behind now and `offset`" }),
      offset: Type.Number({ description: "Offset in force, seconds" }),
      newest_point: Type.Optional(
        Type.Number({ description: "End of the newest interval that holds points, seconds since the epoch" }),
      ),
      late: Type.Optional(
        Type.Object(
          { offset: Type.Number({ description: "Seconds that would do" }), advice: Type.String() },
          { description: "While points arrive after their window was evaluated: it is always empty then" },
        ),
      ),
      missed: Type.Integer({ description: "Windows skipped because the server was late" }),
      failures: Type.Integer({ description: "Failed evaluations in a row" }),
      drift: Type.Optional(
        Type.Object(
          {
            feature: Type.String({ description: "The one that shows it most" }),
            since: Type.Number({ description: "Seconds since the epoch" }),
            share: Type.Number({
              description: "Share of the last day's points rarer than one normal point in a hundred",
            }),
            advice: Type.Literal("retrain"),
          },
          { description: "While the series does not look as it did in training" },
        ),
      ),
    }),
  ),
});
const Version = Type.Composite([
  Model,
  Type.Object({ version: Type.Object({ name: Type.String(), active: Type.Boolean() }) }),
]);
const Success = documented(Type.Literal("success"));
const Nothing = documented(Type.Null());
const names = pathNames("Model names, separated by `;`");
const name = pathNames("Model name");
const tags = ["models"];

/** Routes of models. */
export function createModelRoutes({ models, templates }: Pick<AppDeps, "models" | "templates">) {
  return createInstance()
    .get("/models", ({ query }) => models.list(listParams(query)), {
      query: query(listQuery),
      response: documented(Type.Array(Model)),
      detail: { scope: "read", summary: "All models", tags },
    })
    .post(
      "/models",
      async ({ query: { from_template: template }, body }) => {
        await models.create(template ? await templates.fill(readName(template), body) : body);
        return created();
      },
      {
        query: query({
          ...commonQuery,
          from_template: Type.Optional(
            Type.String({ description: "Template to fill in; the body then holds its parameters by name" }),
          ),
        }),
        body: documented(ModelSettings),
        response: { 201: Success },
        detail: {
          scope: "admin",
          summary: "Create a model",
          conflict: "There is a model of this name",
          tags,
        },
      },
    )
    .get(
      "/models/:names",
      ({ params, query }) => models.get(readShownNames(params.names, query), listParams(query)),
      {
        params: names,
        query: query(listQuery),
        response: documented(Type.Array(Model)),
        detail: { scope: "read", summary: "Some models, one entry per name", tags },
      },
    )
    .patch(
      "/models/:names",
      async ({ params, body }) => {
        await models.patch(readNames(params.names), body);
        return noContent();
      },
      {
        params: names,
        query: query(),
        body: documented(Type.Partial(ModelSettings)),
        response: { 204: Nothing },
        detail: { scope: "admin", summary: "Change settings of models", tags },
      },
    )
    .delete(
      "/models/:names",
      async ({ params }) => {
        await models.remove(readNames(params.names));
        return noContent();
      },
      {
        params: names,
        query: query(),
        response: { 204: Nothing },
        detail: { scope: "admin", summary: "Delete models", tags },
      },
    )
    .use(createVersionRoutes(models));
}

function createVersionRoutes(models: AppDeps["models"]) {
  const version = documented<{ names: string; version: string }>(
    Type.Object({
      names: Type.String({ description: "Model name" }),
      version: Type.String({ description: "Version name, as in 00" }),
    }),
  );
  const restoreParameters = {
    ...commonQuery,
    version: Type.Optional(Type.String({ description: "Version name, as in 00; required" })),
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
          summary: "Versions of a model, one per training; `server.versions_kept` says how many stay",
          tags,
        },
      },
    )
    .get(
      "/models/:names/versions/:version",
      ({ params }) => models.version(readName(params.names), params.version),
      {
        params: version,
        query: query(),
        response: documented(Version),
        detail: { scope: "read", summary: "One version of a model", tags },
      },
    )
    .post(
      "/models/:names/_restore",
      async ({ params, query, body }) => {
        await models.restore(readName(params.names), mergeParams(query, body).version);
        return noContent();
      },
      {
        params: name,
        query: query(restoreParameters),
        body: documented(Type.Object(restoreParameters)),
        response: { 204: Nothing },
        detail: { scope: "run", summary: "Make a version the one that answers", tags },
      },
    );
}
