// Command watch: makes the models of a preset for the series that a bucket holds, and starts them.
import { invalid } from "../../core/errors.ts";
import { pathOf } from "../client/client.ts";
import type { Exploration, Model } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { readSettingsFile } from "../input/files.ts";
import { presets } from "../presets/index.ts";
import { type FoundSeries, type PlannedModel, type PlanOptions, planModels } from "../presets/plan.ts";
import type { Preset, PresetRow } from "../presets/preset.ts";
import { isMadeAs, startModels } from "../work/start-models.ts";

/** Tag values per request: the longest page of the server. */
const PAGE_SIZE = 1000;
const DEFAULT_MAX_MODELS = 100;

const presetNames = presets.map(({ name }) => name);

export const watch = defineCommand({
  name: "watch",
  group: "live detection",
  summary: "Create and start models for the usual series of a data source",
  details: [
    "One model watches a metric of all hosts, also of those that come later, each with its own anomalies.",
    "With --hosts that leaves some out, each host gets models of its own. Run it again to start what is not live.",
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
  ],
  async run(context, { arguments: { bucket }, options }) {
    const preset = presets.find(({ name }) => name === options.preset)!;
    const { limit = DEFAULT_MAX_MODELS, prefix = "", interval = "1m", offset = "1m", from } = options;
    if (limit < 1) throw invalid("--limit", "must be at least 1");
    const hook =
      options.hook === undefined ? undefined : await readSettingsFile(options.hook, context.terminal);
    const { found, leavesOut } = await findSeries(context, bucket, preset, options.hosts);
    const existing = await context.client.call<readonly Model[]>("GET /models");
    const plan = { bucket, interval, offset, prefix };
    const isMade = earlierModels(planModels(preset, found, { ...plan, isPerHost: () => true }), existing);
    const isPerHost: PlanOptions["isPerHost"] = (row, part) => leavesOut || isMade(row, part);
    const completed = await withParts(context, { bucket, preset, found, isPerHost });
    const models = planModels(preset, completed, { ...plan, isPerHost });
    if (models.length === 0) throw invalid(bucket, describeNothing(preset, options.hosts));
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
): (row: PresetRow, part: string | undefined) => boolean {
  const known = new Map(existing.map((model) => [model.settings.name, model]));
  const made = ofHosts.filter((planned) => {
    const model = known.get(planned.name);
    return model !== undefined && isMadeAs(planned, model);
  });
  return (row, part) =>
    made.some(
      ({ features: [feature] }) =>
        feature!.name === row.name &&
        (!row.per || feature!.match_all.some(({ tag, value }) => tag === row.per!.tag && value === part)),
    );
}

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
): Promise<{ readonly found: readonly FoundSeries[]; readonly leavesOut: boolean }> {
  const isWanted = matcher(wanted);
  const found: FoundSeries[] = [];
  let leavesOut = false;
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
    const all = await list(hostTag);
    const hosts = all.filter(isWanted);
    leavesOut ||= hosts.length < all.length;
    const { per } = row;
    const parts = per ? (await list(per.tag)).filter((value) => !per.skip?.test(value)) : [];
    if (hosts.length > 0) found.push({ row, hosts, parts });
  }
  return { found, leavesOut };
}

interface PartsInput {
  readonly bucket: string;
  readonly preset: Preset;
  readonly found: readonly FoundSeries[];
  readonly isPerHost: PlanOptions["isPerHost"];
}

/** The series, with the mounts and devices of each host where hosts have models of their own. */
function withParts(
  context: Context,
  { bucket, preset, found, isPerHost }: PartsInput,
): Promise<readonly FoundSeries[]> {
  const complete = async (each: FoundSeries): Promise<FoundSeries> => {
    const { row, parts } = each;
    if (!row.per || !parts.some((part) => isPerHost(row, part))) return each;
    return { ...each, hasPart: await readParts(context, bucket, row, [preset.hostTag, row.per.tag]) };
  };
  return Promise.all(found.map(complete));
}

/** Which hosts have which mounts or devices: those with points in the last week. */
async function readParts(
  { client }: Context,
  bucket: string,
  { measurement, field }: PresetRow,
  tags: readonly [string, string],
): Promise<(host: string, part: string) => boolean> {
  const features = `count(${measurement === undefined ? field : `${measurement}.${field}`})`;
  const query = { from: "now-7d", bucket_interval: "7d", features, group_by: tags.join(";") };
  const id = await client.call<string>(`POST ${pathOf("buckets", [bucket])}/_read`, { query });
  const { result } = await client.waitForJob(id);
  const { series } = result as { series: readonly { tags: Readonly<Record<string, string>> }[] };
  const pairs = new Set(series.map(({ tags: own }) => JSON.stringify(tags.map((tag) => own[tag]))));
  return (host, part) => pairs.has(JSON.stringify([host, part]));
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
