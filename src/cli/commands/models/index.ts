// Model commands: settings and versions.
import { invalid } from "../../../core/errors.ts";
import { fillTemplate, type ParamValue } from "../../../core/input/params.ts";
import { hasNoData } from "../../../core/model/model-state.ts";
import { ApiError, pathOf } from "../../client/client.ts";
import type { Model, Version } from "../../client/views.ts";
import { type Context, defineCommand } from "../../command/command.ts";
import { allOption } from "../../command/options.ts";
import { readSettingsFile } from "../../input/files.ts";
import { summarizeModel } from "../../output/model-summary.ts";
import { answerDone, answerObjects, answerTable } from "../../output/present.ts";
import { formatInterval, formatNumber } from "../../terminal/format.ts";
import { deleteResources, yesOption } from "../../work/deletion.ts";
import { splitNames } from "../../work/each-model.ts";

const DEFAULT_EVALUATIONS = 10;

const names = { model: { description: "Model name", many: true } } as const;

const createModel = defineCommand({
  name: "create-model",
  group: "models",
  summary: "Create a model from a file of settings, or from a template",
  arguments: {
    file: { description: "JSON or YAML; with a template its parameters; - reads standard input" },
  },
  options: {
    template: { short: "t", value: "NAME", description: "Template to instantiate" },
    force: { short: "f", description: "Delete an existing model of this name first, with its versions" },
  },
  examples: [
    ["torus create-model load.yml", "settings as in POST /models"],
    ["torus create-model -t host_load params.json", 'with {"host": "a", "field": "load"} in the file'],
  ],
  async run(context, { arguments: { file }, options: { template, force } }) {
    const settings = await readSettingsFile(file, context.terminal);
    const name = template ? await nameFrom(context, template, settings) : settings.name;
    if (force && typeof name === "string") await deleteIfThere(context, name);
    const query = template ? { from_template: template } : {};
    const answer = await context.client.call("POST /models", { query, body: settings, status: 201 });
    answerDone(context, answer, `created model ${String(name)}`);
  },
});

/** The model name that a template yields for its parameters. */
async function nameFrom({ client }: Context, template: string, params: object): Promise<unknown> {
  const path = `GET ${pathOf("templates", [template])}`;
  const [found] = await client.call<{ settings: { name: unknown } }[]>(path);
  return fillTemplate(found!.settings.name, params as Record<string, ParamValue>);
}

async function deleteIfThere({ client }: Context, name: string): Promise<void> {
  await client.call(`DELETE ${pathOf("models", [name])}`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}

const listModels = defineCommand({
  name: "list-models",
  group: "models",
  summary: "List the models",
  options: allOption,
  examples: [
    ["torus list-models", "bucket, features and state of each"],
    ["torus list-models -q", "only names"],
  ],
  async run(context, { options: { all } }) {
    const models = await context.client.call<Model[]>("GET /models");
    if (all) return answerObjects(context, models);
    answerTable(context, models, {
      columns: [
        { title: "NAME", value: ({ settings }) => settings.name },
        { title: "TYPE", value: ({ settings }) => settings.type },
        { title: "BUCKET", value: ({ settings }) => settings.default_bucket ?? "-" },
        {
          title: "INTERVAL",
          align: "right",
          value: describeInterval,
        },
        { title: "FEATURES", value: ({ settings }) => settings.features.map((f) => f.name).join(", ") },
        { title: "STATE", value: describeState },
        { title: "LOSS", align: "right", value: ({ state }) => formatNumber(state.loss) },
      ],
      name: ({ settings }) => settings.name,
      empty: "no models yet: torus create-model",
    });
  },
});

/** The setting, with the interval that the training chose for `auto`. */
function describeInterval({ settings, state }: Model): string {
  const text = formatInterval(settings.bucket_interval);
  return text === "auto" && state.bucket_interval ? `auto (${formatInterval(state.bucket_interval)})` : text;
}

function describeState(model: Model): string {
  const { state, training, live } = model;
  const isTraining = training?.state === "running" || training?.state === "waiting";
  const words = [
    state.trained ? "trained" : "new",
    isTraining && "training",
    live && (hasNoData(model) ? "no data" : "live"),
  ];
  return words.filter(Boolean).join(", ");
}

const showModel = defineCommand({
  name: "show-model",
  group: "models",
  summary: "Show models: settings, training result, live state",
  arguments: names,
  details: ["YAML; comments at the end summarise thresholds, training, live state and evaluations."],
  options: {
    ...allOption,
    evaluations: {
      value: "N",
      type: "integer",
      fallback: String(DEFAULT_EVALUATIONS),
      description: "Number of evaluations of a live model to show",
    },
  },
  examples: [
    ["torus show-model trips", "as YAML, with a summary at its end"],
    ["torus show-model trips --evaluations 2", "with its last two evaluations"],
  ],
  async run(context, { arguments: { model }, options: { all, evaluations = DEFAULT_EVALUATIONS } }) {
    const path = `GET ${pathOf("models", splitNames(model))}`;
    const models = await context.client.call<Model[]>(path);
    if (all || context.globals.json) return answerObjects(context, models);
    await answerObjects(context, models.map(withoutEvaluations));
    for (const each of models) {
      const options = { evaluations, trainingError: await fetchTrainingError(context, each) };
      const lines = summarizeModel(context, each, options);
      context.print(["", ...lines.map((line) => `# ${line}`.trimEnd())].join("\n"));
    }
  },
});

/** The summary shows evaluations as a table. */
function withoutEvaluations(model: Model): object {
  const { live } = model;
  if (!live) return model;
  const { evaluations: _, ...rest } = live;
  return { ...model, live: rest };
}

/** Error of the last training; undefined if it did not fail, or its job is deleted. */
async function fetchTrainingError({ client }: Context, { training }: Model): Promise<string | undefined> {
  if (training?.state !== "failed" || !training.job_id) return undefined;
  const job = await client.getJob(training.job_id).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  return job?.error;
}

const deleteModel = defineCommand({
  name: "delete-model",
  group: "models",
  summary: "Delete models with their versions",
  arguments: names,
  examples: [["torus delete-model old older", "all of them or, where one is unknown, none"]],
  options: yesOption,
  run(context, { arguments: { model }, options: { yes } }) {
    const names = splitNames(model);
    return deleteResources(context, { noun: "model", names, path: pathOf("models", names), yes });
  },
});

const listVersions = defineCommand({
  name: "list-model-versions",
  group: "models",
  summary: "List the versions of a model, one per training",
  arguments: { model: { description: "Model name" } },
  options: allOption,
  examples: [["torus list-model-versions trips", "the active version is marked"]],
  async run(context, { arguments: { model }, options: { all } }) {
    const versions = await context.client.call<Version[]>(`GET ${pathOf("models", [model])}/versions`);
    if (all) return answerObjects(context, versions);
    answerTable(context, versions, {
      columns: [
        { title: "VERSION", value: ({ version }) => version.name },
        { title: "", value: ({ version }) => (version.active ? "active" : "") },
        { title: "LOSS", align: "right", value: ({ state }) => formatNumber(state.loss) },
        { title: "SPAN", align: "right", value: ({ state }) => formatNumber(state.span) },
      ],
      name: ({ version }) => version.name,
      empty: `${model} is not trained: torus train-model ${model}`,
    });
  },
});

const loadVersion = defineCommand({
  name: "load-model-version",
  group: "models",
  summary: "Activate a version of a model",
  arguments: { model: { description: "Model name" } },
  options: { version: { short: "v", value: "NAME", required: true, description: "Version, as in 01" } },
  examples: [["torus load-model-version trips -v 00", "back to the first training"]],
  async run(context, { arguments: { model }, options: { version } }) {
    if (!version) throw invalid("--version", "is required: --version NAME");
    const path = `POST ${pathOf("models", [model])}/_restore`;
    const answer = await context.client.call(path, { query: { version } });
    answerDone(context, answer, `${model} now uses version ${version}`);
  },
});

export const modelCommands = [listModels, showModel, createModel, deleteModel, listVersions, loadVersion];
