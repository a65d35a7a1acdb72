// Command plot: charts in the terminal.
import { invalid } from "../../core/errors.ts";
import { suggestClosest } from "../../core/input/suggest.ts";
import { parseDate } from "../../core/time/time.ts";
import { type Client, JobError, pathOf, type Query } from "../client/client.ts";
import type { Model, SeriesResult } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { openRangeOptions, rangeQuery, seriesOption } from "../command/options.ts";
import { readSeries } from "../input/series.ts";
import { answerSeries, featuresOf } from "../output/series.ts";
import { drawSeries } from "../output/series-chart.ts";
import { secondsOf } from "../terminal/format.ts";
import { runJob } from "../work/follow-job.ts";

/** Intervals of a chart without `--bucket-interval`. */
const DEFAULT_INTERVALS = 300;

export const plot = defineCommand({
  name: "plot",
  aliases: ["plot-model"],
  group: "data",
  summary: "Draw a model's prediction, or the points of a bucket, in the terminal",
  arguments: { model: { description: "Model name; not with --bucket", optional: true } },
  options: {
    ...openRangeOptions,
    ...seriesOption,
    forecast: { description: "A forecast, after an equal length of history" },
    feature: {
      short: "F",
      value: "NAME",
      description: "Only this feature; with --bucket an aggregate, as in 'avg(x)'",
    },
    bucket: { short: "b", value: "BUCKET", description: "Draw aggregates of its points" },
    "bucket-interval": {
      short: "i",
      value: "DURATION",
      type: "duration",
      fallback: `1/${DEFAULT_INTERVALS} of the range`,
      description: "Length of one interval, with --bucket",
    },
  },
  examples: [
    ["torus plot trips --from now-7d", "observed, expected, band and anomalies of a week"],
    ["torus plot cpu --from now-1d --series host=a,cpu=0", "one series of a model with group_by"],
    ["torus plot trips --forecast --to now+2d", "two days ahead, after the last two days"],
    ["torus plot --bucket taxi --feature 'avg(value)' --from 2014-12-01 --to 2015-01-01", "raw points"],
  ],
  async run(context, { arguments: { model }, options }) {
    const { bucket, feature } = options;
    if ((model === undefined) === (bucket === undefined))
      throw invalid("MODEL", "is required, or --bucket BUCKET, but not both");
    if (bucket !== undefined) return drawBucket(context, bucket, options);
    const series = readSeries(options.series);
    if (series === undefined) await assertAlone(context, model!);
    const subject = { ...(series !== undefined && { series }) };
    const result = options.forecast
      ? await fetchForecast(context, model!, { ...rangeQuery(options), ...subject })
      : await fetchEvaluation(context, model!, { ...withFrom(options), ...subject });
    if (feature !== undefined && !featuresOf(result).includes(feature)) throw unknownFeature(feature, result);
    draw(context, result, feature);
  },
});

/** @throws TorusError `invalid` for a model of several series */
async function assertAlone({ client }: Context, model: string): Promise<void> {
  const [found] = await client.call<Model[]>(`GET ${pathOf("models", [model])}`);
  const tags = found?.settings.group_by;
  if (!tags) return;
  const example = tags.map((tag) => `${tag}=...`).join(",");
  throw invalid(
    "--series",
    `is required: ${model} has several, as torus list-series ${model} shows: ${example}`,
  );
}

/** Prints a chart, or with `--format` csv or tsv the numbers. */
function draw(context: Context, result: SeriesResult, feature?: string): void {
  const { format } = context.globals;
  if (format === "csv" || format === "tsv") answerSeries(context, result);
  else context.answer(result, () => drawSeries(context, result, feature));
}

function unknownFeature(feature: string, result: SeriesResult): Error {
  const known = featuresOf(result);
  const near = suggestClosest(feature, known);
  return invalid("--feature", `is unknown; ${near ? `did you mean ${near}?` : `known: ${known.join(", ")}`}`);
}

function withFrom(options: { from?: string | undefined; to?: string | undefined }): Query {
  if (options.from === undefined) throw invalid("--from", "is required: --from DATE");
  return rangeQuery(options);
}

async function drawBucket(
  context: Context,
  bucket: string,
  options: {
    from?: string | undefined;
    to?: string | undefined;
    feature: string | undefined;
    "bucket-interval": string | undefined;
  },
): Promise<undefined> {
  const { feature, "bucket-interval": interval } = options;
  if (feature === undefined)
    throw invalid("--feature", "is required with --bucket, as in --feature 'avg(x)'");
  const range = withFrom(options);
  const query = { ...range, features: feature, bucket_interval: interval ?? chooseInterval(context, range) };
  const result = await fetchResult(context, {
    label: "read",
    submit: (client) => client.call<string>(`POST ${pathOf("buckets", [bucket])}/_read`, { query }),
  });
  draw(context, result);
}

function chooseInterval({ terminal }: Context, { from, to = "now" }: Query): number {
  const [start, end] = [parseDate(from, terminal.now(), "--from"), parseDate(to, terminal.now(), "--to")];
  return Math.max(1, Math.ceil((end - start) / 1000 / DEFAULT_INTERVALS));
}

function fetchEvaluation(context: Context, model: string, range: Query): Promise<SeriesResult> {
  const query = { ...range, detect_anomalies: true, bg: true };
  return fetchResult(context, {
    label: `evaluate ${model}`,
    submit: (client) => client.call<string>(`POST ${pathOf("models", [model])}/_eval`, { query }),
  });
}

/** The forecast, preceded by an evaluation of equal length, if there is data for one. */
async function fetchForecast(context: Context, model: string, query: Query): Promise<SeriesResult> {
  const forecast = await fetchResult(context, {
    label: `forecast ${model}`,
    submit: (client) =>
      client.call<string>(`POST ${pathOf("models", [model])}/_forecast`, { query: { ...query, bg: true } }),
  });
  const [found] = await context.client.call<Model[]>(`GET ${pathOf("models", [model])}`);
  const [from = 0] = forecast.timestamps;
  const { state, settings } = found!;
  const length = forecast.timestamps.length * (state.bucket_interval ?? secondsOf(settings.bucket_interval));
  const range = { from: from - length, to: from };
  const past = await fetchEvaluation(context, model, { ...query, ...range }).catch((error: unknown) => {
    if (error instanceof JobError) return undefined;
    throw error;
  });
  return past ? join(past, forecast) : forecast;
}

interface SeriesRequest {
  readonly label: string;
  readonly submit: (client: Client) => Promise<string>;
}

async function fetchResult(context: Context, work: SeriesRequest): Promise<SeriesResult> {
  const job = await runJob(context, { ...work, detach: false });
  return job!.result as SeriesResult;
}

type ByName<T> = Readonly<Record<string, readonly T[]>>;

/** Concatenates two series; scores of the second are 0. */
function join(past: SeriesResult, next: SeriesResult): SeriesResult {
  const joinAll = <T>(a: ByName<T>, b: ByName<T>) =>
    Object.fromEntries(Object.entries(b).map(([name, values]) => [name, [...(a[name] ?? []), ...values]]));
  const calm = { score: 0, anomaly: false };
  return {
    timestamps: [...past.timestamps, ...next.timestamps],
    observed: joinAll(past.observed, next.observed),
    predicted: joinAll(past.predicted ?? {}, next.predicted ?? {}),
    ...(past.stats && { stats: [...past.stats, ...next.timestamps.map(() => calm)] }),
  };
}
