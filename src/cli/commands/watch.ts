// Command watch: creates, trains and starts models for the series of a preset that a bucket holds.
import { invalid } from "../../core/errors.ts";
import { ApiError, JobError, pathOf } from "../client/client.ts";
import type { Exploration } from "../client/views.ts";
import { type Context, defineCommand, EXIT_FAILED } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { readSettingsFile } from "../input/files.ts";
import { answerTable } from "../output/present.ts";
import { presets } from "../presets/index.ts";
import { type FoundSeries, type PlannedModel, planModels } from "../presets/plan.ts";
import type { Preset, PresetRow } from "../presets/preset.ts";
import { followJob } from "../work/follow-job.ts";

/** Tag values per request: the longest page of the server. */
const PAGE_SIZE = 1000;
const DEFAULT_MAX_MODELS = 100;

const presetNames = presets.map(({ name }) => name);

export const watch = defineCommand({
  name: "watch",
  group: "live detection",
  summary: "Create, train and start models for the usual series of a data source",
  details: [
    "Existing models stay unchanged: run it again for new hosts, or when there are enough points.",
    ...presets.map(
      ({ name, source, rows }) => `${name}: ${source}; ${rows.map((row) => row.name).join(", ")}`,
    ),
  ],
  arguments: { bucket: { description: "Bucket name" } },
  options: {
    preset: {
      value: "PRESET",
      choices: presetNames,
      required: true,
      description: `${presetNames.slice(0, -1).join(", ")} or ${presetNames.at(-1)}`,
    },
    hosts: {
      value: "A,B",
      type: "list",
      fallback: "all",
      description: "Hosts to watch; * matches any text",
    },
    limit: {
      value: "N",
      type: "integer",
      fallback: String(DEFAULT_MAX_MODELS),
      description: "Maximum number of models",
    },
    prefix: { value: "TEXT", fallback: "none", description: "Prefix of the model names" },
    interval: {
      short: "i",
      value: "DURATION",
      type: "duration",
      fallback: "1m",
      description: "Length of one interval",
    },
    offset: { value: "DURATION", type: "duration", fallback: "1m", description: "Expected delay of points" },
    from: { short: "f", value: "DATE", fallback: "now-7d", description: "Start of the training range" },
    hook: { value: "FILE", description: "File with a hook to attach to each model: name, type, config" },
    "dry-run": { description: "Print the models as YAML without creating them" },
  },
  examples: [
    ["torus watch metrics --preset node_exporter --dry-run", "the models that would be created"],
    [
      "torus watch metrics --preset node_exporter --hosts 'web-*' --hook ops.yml",
      "web servers, with a mail hook",
    ],
    ["torus watch telegraf --preset telegraf --limit 20", "the first twenty"],
  ],
  async run(context, { arguments: { bucket }, options }) {
    const preset = presets.find(({ name }) => name === options.preset)!;
    const {
      limit = DEFAULT_MAX_MODELS,
      prefix = "",
      interval = "1m",
      offset = "1m",
      from = "now-7d",
    } = options;
    if (limit < 1) throw invalid("--limit", "must be at least 1");
    const hook =
      options.hook === undefined ? undefined : await readSettingsFile(options.hook, context.terminal);
    const found = await findSeries(context, bucket, preset, options.hosts);
    const models = planModels(preset, found, { bucket, interval, offset, prefix });
    if (models.length === 0) throw invalid(bucket, describeNothing(preset, options.hosts));
    if (models.length > limit)
      context.note(
        `${models.length} models are possible, creating the first ${limit}: --limit N creates more`,
      );
    const chosen = models.slice(0, limit);
    if (options["dry-run"]) return printModels(context, chosen);
    return startModels(context, chosen, { from, hook });
  },
});

function describeNothing({ name, hostTag, rows }: Preset, hosts: readonly string[] | undefined): string {
  const fields = rows.map(({ measurement, field }) => [measurement, field].filter(Boolean).join("."));
  const wanted = hosts ? ` with ${hostTag} ${hosts.join(", ")}` : "";
  return `has no series of ${name}${wanted}: looked for ${fields.join(", ")}`;
}

async function findSeries(
  context: Context,
  bucket: string,
  { hostTag, rows }: Preset,
  wanted: readonly string[] | undefined,
): Promise<FoundSeries[]> {
  const isWanted = matcher(wanted);
  const found: FoundSeries[] = [];
  for (const row of rows) {
    const explored = await explore(context, bucket, row);
    const measurement = explored.measurements.find(
      ({ name, fields }) =>
        name === (row.measurement ?? null) && fields.some(({ name }) => name === row.field),
    );
    if (!measurement) continue;
    const list = async (tag: string) => {
      const [page] = (await explore(context, bucket, row, tag)).measurements;
      const values = (page ?? measurement).tags.find(({ name }) => name === tag)?.values;
      return values ?? measurement.tags.find(({ name }) => name === tag)?.values ?? [];
    };
    const hosts = (await list(hostTag)).filter(isWanted);
    const { per } = row;
    const parts = per ? (await list(per.tag)).filter((value) => !per.skip?.test(value)) : [];
    if (hosts.length > 0) found.push({ row, hosts, parts });
  }
  return found;
}

/** Older servers ignore the filters and list everything. */
function explore({ client }: Context, bucket: string, row: PresetRow, tag?: string): Promise<Exploration> {
  const { measurement, field } = row;
  const query = definedOnly<string | number>({
    measurement,
    field,
    tag,
    per_page: tag === undefined ? undefined : PAGE_SIZE,
  });
  return client.call<Exploration>(`GET ${pathOf("buckets", [bucket])}/_explore`, { query });
}

function matcher(patterns: readonly string[] | undefined): (host: string) => boolean {
  if (!patterns) return () => true;
  const escaped = patterns.map((pattern) =>
    pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*"),
  );
  const expression = new RegExp(`^(${escaped.join("|")})$`);
  return (host) => expression.test(host);
}

async function printModels(context: Context, models: readonly PlannedModel[]): Promise<undefined> {
  if (context.globals.json) {
    context.answer(models);
    return;
  }
  const { stringify } = await import("yaml");
  context.print(models.map((model) => stringify(model)).join("---\n"));
}

interface StartOptions {
  readonly from: string;
  readonly hook: Readonly<Record<string, unknown>> | undefined;
}

interface ModelOutcome {
  readonly model: string;
  readonly state: "watched" | "existed" | "not trained" | "not there" | "failed";
  readonly message: string;
}

async function startModels(
  context: Context,
  models: readonly PlannedModel[],
  watching: StartOptions,
): Promise<number> {
  const listed = await context.client.call<{ settings: { name: string } }[]>("GET /models");
  const existing = new Set(listed.map(({ settings }) => settings.name));
  const outcomes: ModelOutcome[] = [];
  for (const model of models) {
    if (existing.has(model.name))
      outcomes.push({ model: model.name, state: "existed", message: "left alone" });
    else outcomes.push(await startModel(context, model, watching));
  }
  answerTable(context, outcomes, {
    columns: [
      { title: "MODEL", value: ({ model }) => model },
      { title: "STATE", value: ({ state }) => state },
      { title: "", key: "message", value: ({ message }) => message },
    ],
    name: ({ model }) => model,
    empty: "nothing to watch",
  });
  const count = (state: ModelOutcome["state"]) =>
    outcomes.filter((outcome) => outcome.state === state).length;
  context.note(
    `${count("watched")} watched, ${count("not trained")} not trained yet, ${count("existed")} existed`,
  );
  return count("failed") > 0 ? EXIT_FAILED : 0;
}

/** @throws errors that would affect every model: an interrupt, a lost connection */
async function startModel(
  context: Context,
  model: PlannedModel,
  watching: StartOptions,
): Promise<ModelOutcome> {
  const { name } = model;
  const { client, lasting, signal } = context;
  const path = pathOf("models", [name]);
  try {
    await client.createModel({ ...model });
    if (watching.hook) await client.call(`PUT ${path}/hooks`, { body: watching.hook, status: 201 });
    const id = await lasting.train(name, { from: watching.from });
    await followJob(context, id, `train ${name}`);
    await client.call(`POST ${path}/_start`, { query: { detect_anomalies: true } });
    return { model: name, state: "watched", message: "" };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof JobError) return afterFailedTraining(context, name, error);
    if (error instanceof ApiError) return { model: name, state: "failed", message: error.reason };
    throw error;
  }
}

/** Deletes the model of a series without points: hosts differ in their mounts and devices. */
async function afterFailedTraining(context: Context, name: string, { job }: JobError): Promise<ModelOutcome> {
  const { code, error: message = "no reason was given" } = job;
  if (code !== "no_data") {
    const state = code === "too_little_data" ? "not trained" : "failed";
    return { model: name, state, message };
  }
  await context.client.call(`DELETE ${pathOf("models", [name])}`);
  return { model: name, state: "not there", message: "no points: not created" };
}
