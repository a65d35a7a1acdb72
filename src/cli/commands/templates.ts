// Template commands: parameterised settings of models.
import type { MigrationView, TemplateView } from "../../api/template.ts";
import { invalid } from "../../core/errors.ts";
import { pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { readSettingsFile } from "../input/files.ts";
import { answerMigration } from "../output/migration.ts";
import { answerDone } from "../output/present.ts";
import { followJob } from "../work/follow-job.ts";
import { namedCommands } from "./named.ts";

/** Start of a training where no model has been trained. */
const DEFAULT_FROM = "now-30d";

const named = namedCommands<TemplateView>(
  { noun: "template", group: "templates" },
  {
    list: {
      aliases: ["list-model-templates"],
      summary: "List the templates",
      effect: "names and parameters",
      columns: () => [{ title: "PARAMETERS", value: ({ params }) => params.join(", ") || "-" }],
      empty: "no templates yet: torus create-template",
    },
    show: { summary: "Show templates", example: ["host_load", "as YAML"] },
    delete: { summary: "Delete templates; models created from them stay", example: ["host_load", ""] },
  },
);

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

const migrateTemplate = defineCommand({
  name: "migrate-template",
  group: "templates",
  summary: "Make one model with group_by of a template's models, with their history",
  details: [
    "Models that differ in nothing but name, mute windows and the values of the tags become its series, and are stopped.",
    "It gets their anomalies with feedback, labels, common hooks and mute windows: all of it, or nothing changes.",
  ],
  arguments: { template: { description: "Template name" } },
  options: {
    name: { value: "NAME", fallback: "the template's", description: "Name of the new model" },
    "group-by": {
      value: "TAGS",
      type: "list",
      fallback: "those that are parameters, or differ",
      description: "Tags of match_all, as in host,cpu",
    },
    models: {
      value: "NAMES",
      type: "list",
      fallback: "those like the template",
      description: "Models to migrate, as in load_a,load_b",
    },
    "dry-run": { short: "n", description: "Print the plan, and change nothing" },
    delete: { description: "Delete the single models, except those of which something was not copied" },
    train: { description: "Train the new model, and wait for the end of the training" },
    from: {
      short: "f",
      value: "DATE",
      fallback: `the models' earliest, or ${DEFAULT_FROM}`,
      description: "With --train: start of the training range",
    },
    start: { description: "Start live detection of the new model; with --train after the training" },
  },
  examples: [
    ["torus migrate-template host_load --dry-run", "which models become series, and why others do not"],
    ["torus migrate-template host_load --name hosts --delete --train --start", "all at once"],
  ],
  async run(context, { arguments: { template }, options }) {
    const { name, "group-by": group_by, models, "dry-run": dry_run, delete: deletes, ...rest } = options;
    const later = (["train", "start", "from"] as const).find((key) => rest[key]);
    if (dry_run && later) throw invalid(`--${later}`, "cannot be used with --dry-run, which changes nothing");
    if (rest.from !== undefined && !rest.train) throw invalid("--from", "needs --train");
    const body = { name, group_by, models, dry_run, delete: deletes };
    // The lasting client: after an interrupt there must be an answer.
    const path = `POST ${pathOf("templates", [template])}/_migrate`;
    const migration = await context.lasting.call<MigrationView>(path, { body });
    answerMigration(context, migration);
    if (!dry_run) await goOn(context, migration, rest);
    return undefined;
  },
});

interface NextSteps {
  readonly train: boolean;
  readonly from?: string | undefined;
  readonly start: boolean;
}

/** Trains and starts the fleet as far as asked for; a note names the commands for the rest. */
async function goOn(
  context: Context,
  { model, train_from }: MigrationView,
  { train, from = String(train_from ?? DEFAULT_FROM), start }: NextSteps,
): Promise<void> {
  const isForPeople = !context.globals.json;
  if (train) {
    await followJob(context, await context.lasting.train(model, { from }), `train ${model}`);
    if (isForPeople) context.note(`trained ${model}`);
  }
  if (start) {
    const query = { detect_anomalies: true };
    await context.client.call(`POST ${pathOf("models", [model])}/_start`, { query });
    if (isForPeople) context.note(`started ${model}`);
    return;
  }
  const commands = [
    !train && `torus train-model ${model} --from ${from}`,
    `torus start-model ${model} --anomalies`,
  ].filter(Boolean);
  if (isForPeople) context.note(`next: ${commands.join(", then ")}`);
}

export const templateCommands = [named.list, named.show, createTemplate, migrateTemplate, named.remove];
