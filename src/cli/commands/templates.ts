// Template commands: parameterised settings of models.
import type { TemplateView } from "../../api/template.ts";
import { pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import { allOption } from "../command/options.ts";
import { readSettingsFile } from "../input/files.ts";
import { answerDone, answerObjects, answerTable } from "../output/present.ts";

const names = { template: { description: "Template name", many: true } } as const;

const createTemplate = defineCommand({
  name: "create-template",
  group: "templates",
  summary: "Create a template: settings of a model with {{param}} in any text",
  arguments: {
    template: { description: "Template name" },
    file: { description: "JSON or YAML; - reads standard input" },
  },
  examples: [
    ["torus create-template host_load host_load.yml", "then torus create-model -t host_load params.json"],
  ],
  async run(context, { arguments: { template, file } }) {
    const body = await readSettingsFile(file, context.terminal);
    const answer = await context.client.call("POST /templates", {
      query: { name: template },
      body,
      status: 201,
    });
    answerDone(context, answer, `created template ${template}`);
  },
});

const listTemplates = defineCommand({
  name: "list-templates",
  aliases: ["list-model-templates"],
  group: "templates",
  summary: "List the templates",
  options: allOption,
  examples: [["torus list-templates", "names and parameters"]],
  async run(context, { options: { all } }) {
    const templates = await context.client.call<TemplateView[]>("GET /templates");
    if (all) return answerObjects(context, templates);
    answerTable(context, templates, {
      columns: [
        { title: "NAME", value: ({ name }) => name },
        { title: "PARAMETERS", value: ({ params }) => params.join(", ") || "-" },
      ],
      name: ({ name }) => name,
      empty: "no templates yet: torus create-template",
    });
  },
});

const showTemplate = defineCommand({
  name: "show-template",
  group: "templates",
  summary: "Show templates",
  arguments: names,
  examples: [["torus show-template host_load", "as YAML"]],
  async run(context, { arguments: { template } }) {
    await answerObjects(
      context,
      await context.client.call<TemplateView[]>(`GET ${pathOf("templates", template)}`),
    );
  },
});

const deleteTemplate = defineCommand({
  name: "delete-template",
  group: "templates",
  summary: "Delete templates; models created from them stay",
  arguments: names,
  examples: [["torus delete-template host_load", ""]],
  async run(context, { arguments: { template } }) {
    const answer = await context.client.call(`DELETE ${pathOf("templates", template)}`);
    answerDone(context, answer, `deleted ${template.join(", ")}`);
  },
});

export const templateCommands = [listTemplates, showTemplate, createTemplate, deleteTemplate];
