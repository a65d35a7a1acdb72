// Routes of templates: model settings with parameters.
import { Type } from "@sinclair/typebox";
import { Migration, MigrationInput, Template, TemplateSettings } from "../../api/template.ts";
import { invalid } from "../../core/errors.ts";
import { created, noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames, readShownNames } from "../framework/names.ts";
import { commonQuery, listParams, listQuery, pathNames, query } from "../framework/params.ts";

/** Routes of templates. */
export function createTemplateRoutes({
  templates,
  templateMigration,
}: Pick<AppDeps, "templates" | "templateMigration">) {
  const params = pathNames("Template names, separated by `;`");
  const tags = ["templates"];
  const list = documented(Type.Array(Template));
  return createInstance()
    .get("/templates", ({ query }) => templates.list(listParams(query)), {
      query: query(listQuery),
      response: list,
      detail: { scope: "read", summary: "List all templates", tags },
    })
    .post(
      "/templates",
      async ({ query, body }) => {
        if (!query.name) throw invalid("name", "is required as a query parameter: the template's name");
        await templates.create(readName(query.name), body);
        return created();
      },
      {
        query: query({ ...commonQuery, name: Type.String({ description: "Name of the template" }) }),
        body: documented(TemplateSettings),
        response: { 201: documented(Type.Literal("success")) },
        detail: {
          scope: "admin",
          summary: "Create a template: model settings with `{{param}}` in any string",
          conflict: "A template of this name exists",
          tags,
        },
      },
    )
    .get(
      "/templates/:names",
      ({ params, query }) => templates.get(readShownNames(params.names, query), listParams(query)),
      {
        params,
        query: query(listQuery),
        response: list,
        detail: { scope: "read", summary: "Get templates, one entry per name", tags },
      },
    )
    .delete(
      "/templates/:names",
      async ({ params }) => {
        await templates.remove(readNames(params.names));
        return noContent();
      },
      {
        params,
        query: query(),
        response: { 204: documented(Type.Null()) },
        detail: { scope: "admin", summary: "Delete templates", tags },
      },
    )
    .post(
      "/templates/:names/_migrate",
      ({ params, body }) => templateMigration.migrate(readName(params.names), body),
      {
        params: pathNames("Template name"),
        query: query(),
        body: documented(MigrationInput),
        response: documented(Migration),
        detail: {
          scope: "admin",
          summary: "Make one fleet of the models of a template, with their history",
          description:
            "Models that differ in nothing but their names, mute windows and the values of the tags become series of a new model with `group_by`, which gets their anomalies with feedback, their labels, the hooks that all of them have, and their mute windows. They are stopped. All of it happens, or nothing.",
          conflict: "A model of the fleet's name exists",
          tags,
        },
      },
    );
}
