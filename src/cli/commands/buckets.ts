// Bucket commands: settings and points.
import { invalid } from "../../core/errors.ts";
import { pathOf } from "../client/client.ts";
import type { BucketTestResult, SeriesResult } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { detachOption, forceOption, rangeOptions, rangeQuery } from "../command/options.ts";
import { readDocument, readSettingsFile, STDIN } from "../input/files.ts";
import { answerDone } from "../output/present.ts";
import { answerGroups, answerSeries, type GroupedResult } from "../output/series.ts";
import { countOf } from "../terminal/format.ts";
import { clean } from "../terminal/table.ts";
import { runJob } from "../work/follow-job.ts";
import { describeDropped, writePoints } from "../work/write-points.ts";
import { namedCommands } from "./named.ts";

interface Bucket {
  readonly name: string;
  readonly type: string;
  readonly addr?: string;
  readonly database?: string;
}

const named = namedCommands<Bucket>(
  { noun: "bucket", group: "data" },
  {
    list: {
      summary: "List the buckets",
      effect: "name, type and address of each",
      columns: () => [
        { title: "TYPE", value: ({ type }) => type },
        {
          title: "ADDRESS",
          value: ({ addr, database }) => [addr, database].filter(Boolean).join(" ") || "-",
        },
      ],
      empty: "no buckets yet: torus create-bucket, or torus import-csv",
    },
    show: {
      summary: "Show the settings of buckets",
      example: ["metrics", "as YAML, without secrets"],
    },
    delete: {
      summary: "Delete buckets, including points stored by the server",
      force: "Even if a live model uses it: stops the model",
      example: ["old older", "all of them or, where one is unknown, none"],
    },
  },
);
const name = { bucket: { description: "Bucket name" } } as const;

/** Whether a bucket of this name exists. */
export async function bucketExists({ client }: Context, bucket: string): Promise<boolean> {
  return (await client.find(`GET ${pathOf("buckets", [bucket])}`)) !== undefined;
}

const createBucket = defineCommand({
  name: "create-bucket",
  group: "data",
  summary: "Create a bucket from a file of settings",
  arguments: { file: { description: "JSON or YAML; - reads standard input" } },
  options: forceOption,
  examples: [
    ["torus create-bucket metrics.yml", "name, type and the settings of that kind"],
    [`echo '{"name": "load", "type": "local"}' | torus create-bucket -`, "points kept by the server itself"],
  ],
  async run(context, { arguments: { file }, options: { force } }) {
    const settings = await readSettingsFile(file, context.terminal);
    const bucket = String(settings.name ?? "");
    if (!force && bucket && (await bucketExists(context, bucket)))
      throw invalid(bucket, "is a bucket already: --force replaces its settings");
    const answer = await context.client.putBucket(settings);
    answerDone(context, answer, `created bucket ${bucket}`);
    const problem = await findProblem(context, bucket);
    if (problem) context.note(clean(`created, but not usable yet: ${problem}`));
  },
});

/** Why a data source does not answer; undefined if it does, or if that is unknown. */
async function findProblem({ client }: Context, bucket: string): Promise<string | undefined> {
  const tested = await client
    .call<BucketTestResult>(`POST ${pathOf("buckets", [bucket])}/_test`)
    .catch(() => undefined);
  return tested && !tested.ok && tested.code !== "not_supported" ? tested.error : undefined;
}

const clearBucket = defineCommand({
  name: "clear-bucket",
  group: "data",
  summary: "Delete the points of a bucket",
  arguments: name,
  examples: [["torus clear-bucket metrics", "the bucket and its settings stay"]],
  async run(context, { arguments: { bucket } }) {
    const answer = await context.client.call(`POST ${pathOf("buckets", [bucket])}/_clear`);
    answerDone(context, answer, `cleared ${bucket}`);
  },
});

const readBucket = defineCommand({
  name: "read-bucket",
  group: "data",
  summary: "Read aggregates of the points in a bucket",
  arguments: name,
  options: {
    ...rangeOptions,
    "bucket-interval": {
      short: "i",
      value: "DURATION",
      type: "duration",
      required: true,
      description: "Length of one interval",
    },
    features: {
      short: "F",
      value: "LIST",
      required: true,
      description: "As in avg(x);count(measurement.y)",
    },
    "group-by": { value: "TAGS", description: "One series per combination of their values, as in host;cpu" },
    "max-series": { value: "N", type: "integer", fallback: "1000", description: "Series of the answer" },
    ...detachOption,
  },
  examples: [
    ["torus read-bucket metrics -f now-1d -i 1h -F 'avg(load)' --group-by host", "a row per hour and host"],
    ["torus read-bucket metrics -f now-1d -i 1h -F 'avg(load);count(load)'", "a table, one row per hour"],
  ],
  async run(context, { arguments: { bucket }, options }) {
    const { "bucket-interval": interval, features, detach, "group-by": tags, "max-series": most } = options;
    const groups = {
      ...(tags !== undefined && { group_by: tags }),
      ...(most !== undefined && { max_series: most }),
    };
    const query = { ...rangeQuery(options), bucket_interval: interval, features, ...groups };
    const job = await runJob(context, {
      label: "read",
      detach,
      submit: (client) => client.call<string>(`POST ${pathOf("buckets", [bucket])}/_read`, { query }),
    });
    if (!job) return;
    const { warnings = [] } = job.result as { readonly warnings?: readonly string[] };
    for (const warning of warnings) context.note(warning);
    if (tags === undefined) answerSeries(context, job.result as SeriesResult);
    else answerGroups(context, job.result as GroupedResult);
  },
});

const writeBucket = defineCommand({
  name: "write-bucket",
  group: "data",
  summary: "Write points from a JSON file to a bucket",
  details: ["Points are [{timestamp, <field>: value, ..., tags?: {...}}]; for CSV see import-csv."],
  arguments: name,
  options: {
    data: { short: "d", value: "FILE", fallback: "standard input", description: "JSON array of points" },
    "batch-size": {
      short: "b",
      value: "N",
      type: "integer",
      fallback: "1000",
      description: "Points per request",
    },
    measurement: { value: "NAME", description: "Measurement of the points" },
  },
  examples: [["torus write-bucket metrics -d points.json", "in batches, with a progress bar"]],
  async run(context, { arguments: { bucket }, options }) {
    const file = options.data ?? STDIN;
    const points = await readDocument(file, context.terminal);
    if (!Array.isArray(points))
      throw invalid(file, "must hold a list of points: [{timestamp, <field>: value}]");
    const batchSize = options["batch-size"] ?? 1000;
    if (batchSize < 1) throw invalid("--batch-size", "must be at least 1");
    const batches = Array.from({ length: Math.ceil(points.length / batchSize) }, (_, i) => ({
      points: points.slice(i * batchSize, (i + 1) * batchSize) as object[],
      share: Math.min(1, ((i + 1) * batchSize) / points.length),
    }));
    const { measurement } = options;
    const done = await writePoints(context, batches, { bucket, ...(measurement && { measurement }) });
    const lines = [`wrote ${countOf(done.written, "point")} to ${bucket}`, describeDropped(done)];
    answerDone(context, done, lines.filter(Boolean).join("\n"));
  },
});

export const bucketCommands = [
  named.list,
  named.show,
  createBucket,
  named.remove,
  clearBucket,
  readBucket,
  writeBucket,
];
