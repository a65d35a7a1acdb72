// Command watch: makes the models of a preset for the series that a bucket holds, and starts them.
import { invalid } from "../../../core/errors.ts";
import type { Model } from "../../client/views.ts";
import { type Context, defineCommand } from "../../command/command.ts";
import { readSettingsFile } from "../../input/files.ts";
import { presets } from "../../presets/index.ts";
import { DEFAULT_INTERVAL, type PlannedModel, type PlanOptions, planModels } from "../../presets/plan.ts";
import type { Preset, PresetModel } from "../../presets/preset.ts";
import { findPreset } from "../../presets/read.ts";
import { findSeries, sourceOf, withParts } from "../../work/find-series.ts";
import { isMadeAs, startModels } from "../../work/start-models.ts";
import { folderOfPresets, presetsOption } from "./presets.ts";

const DEFAULT_MAX_MODELS = 100;

export const watch = defineCommand({
  name: "watch",
  group: "live detection",
  summary: "Create and start models for the usual series of a data source",
  details: [
    "One model watches a metric of all hosts, also of those that come later, each with its own anomalies.",
    "With --hosts that leaves some out, each host gets models of its own. Run it again to start what is not live.",
    "A preset is a name of torus list-presets, or a file of your own; what the bucket does not hold is left out.",
  ],
  arguments: { bucket: { description: "Bucket name" } },
  options: {
    preset: {
      value: "PRESET",
      choices: presets.map(({ name }) => name),
      hasOthers: true,
      required: true,
      description: "Name of a preset, as in node_exporter, or a file with one",
    },
    ...presetsOption,
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
      fallback: `the preset's, or ${DEFAULT_INTERVAL}`,
      description: "Length of one interval",
    },
    offset: { value: "DURATION", type: "duration", fallback: "1m", description: "Expected delay of points" },
    from: {
      short: "f",
      value: "DATE",
      fallback: "what is stored, up to four weeks",
      description: "Start of the first training range",
    },
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
    ["torus watch metrics --preset ./pumps.yml", "a preset of your own"],
  ],
  async run(context, { arguments: { bucket }, options }) {
    const { terminal } = context;
    const preset = await findPreset(options.preset, folderOfPresets(options, terminal), terminal);
    const { limit = DEFAULT_MAX_MODELS, prefix = "", interval, offset = "1m", from } = options;
    if (limit < 1) throw invalid("--limit", "must be at least 1");
    const hook = options.hook === undefined ? undefined : await readSettingsFile(options.hook, terminal);
    const { found, leavesOut, missing } = await findSeries(context, bucket, preset, options.hosts);
    const existing = await context.client.call<readonly Model[]>("GET /models");
    const plan = { bucket, interval, offset, prefix };
    const isMade = earlierModels(planModels(preset, found, { ...plan, isPerHost: () => true }), existing);
    const isPerHost: PlanOptions["isPerHost"] = (row, part) => leavesOut || isMade(row, part);
    const completed = await withParts(context, { bucket, preset, found, isPerHost });
    const models = planModels(preset, completed, { ...plan, isPerHost });
    if (models.length === 0) throw invalid(bucket, describeNothing(preset, options.hosts));
    if (missing.length > 0) context.note(`left out: ${missing.join("; ")}`);
    if (models.length > limit)
      context.note(
        `${models.length} models are possible, creating the first ${limit}: --limit N creates more`,
      );
    const chosen = models.slice(0, limit);
    if (options["dry-run"]) return printModels(context, chosen);
    const code = await startModels(context, chosen, { existing, from, hook });
    if (!leavesOut && chosen.some(({ group_by }) => !group_by))
      context.note(
        "models of single hosts, from an earlier run, stay as they are: delete them and run it again for one model of all hosts",
      );
    return code;
  },
});

/** Whether there are models of single hosts for a row, as earlier versions made them. */
function earlierModels(
  ofHosts: readonly PlannedModel[],
  existing: readonly Model[],
): (row: PresetModel, part: string | undefined) => boolean {
  const known = new Map(existing.map((model) => [model.settings.name, model]));
  const made = ofHosts.filter((planned) => {
    const model = known.get(planned.name);
    return model !== undefined && isMadeAs(planned, model);
  });
  return (row, part) =>
    made.some(
      ({ features: [feature] }) =>
        feature!.name === row.name &&
        (!row.per || feature!.match_all?.some(({ tag, value }) => tag === row.per!.tag && value === part)),
    );
}

function describeNothing({ name, host_tag, models }: Preset, hosts: readonly string[] | undefined): string {
  const wanted = hosts ? ` with ${host_tag} ${hosts.join(", ")}` : "";
  return `has no series of ${name}${wanted}: looked for ${models.map(sourceOf).join(", ")}`;
}

async function printModels(context: Context, models: readonly PlannedModel[]): Promise<undefined> {
  if (context.globals.json) {
    context.answer(models);
    return;
  }
  const { stringify } = await import("yaml");
  context.print(models.map((model) => stringify(model)).join("---\n"));
}
