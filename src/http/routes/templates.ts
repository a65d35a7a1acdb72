// Routes of templates: model settings with parameters.
import { Type } from "@sinclair/typebox";
import { Migration, MigrationInput, Template, TemplateSettings } from "../../api/template.ts";
import { invalid } from "../../core/errors.ts";
import { deleterOf } from "../framework/access.ts";
import { created, deleted } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { Created, createReadRoutes, NoContent } from "../framework/noun-routes.ts";
import { commonQuery, pathNames, query } from "../framework/params.ts";

/** Routes of templates. */
export function createTemplateRoutes({
  templates,
  templateMigration,
}: Pick<AppDeps, "templates" | "templateMigration">) {
  const params = pathNames("Template names, separated by `;`");
  const tags = ["templates"];
  return createReadRoutes(templates, { noun: "templates", params, entry: Template })
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
        response: Created,
        detail: {
          scope: "admin",
          summary: "Create a template: model settings with `{{param}}` in any string",
          conflict: "A template of this name exists",
          tags,
        },
      },
    )
    .delete(
      "/templates/:names",
      async ({ params, request }) =>
        deleted(await templates.remove(readNames(params.names), deleterOf(request))),
      {
        params,
        response: NoContent,
        detail: { scope: "admin", summary: "Delete templates", tags },
      },
    )
    .post(
      "/templates/:names/_migrate",
      ({ params, body }) => templateMigration.migrate(readName(params.names), body),
      {
        params: pathNames("Template name"),
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
