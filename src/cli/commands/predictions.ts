// Commands train-model, forecast-model and eval-model.
import { type Job, pathOf, type Query } from "../client/client.ts";
import type { Model, SeriesResult } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import {
  definedOnly,
  detachOption,
  openRangeOptions,
  pageOptions,
  rangeOptions,
  rangeQuery,
  recordOptions,
  seriesOption,
} from "../command/options.ts";
import { readSeries } from "../input/series.ts";
import { answerPrediction, type SeriesPage } from "../output/series-page.ts";
import { countOf, formatNumber } from "../terminal/format.ts";
import { resolveModels, runForEach } from "../work/each-model.ts";
import { followJob, runJob } from "../work/follow-job.ts";

const model = { model: { description: "Model name" } } as const;
const placeOptions = {
  ...seriesOption,
  ...pageOptions,
  input: { short: "i", value: "BUCKET", description: "Bucket to read from; overrides the model's" },
  output: { short: "o", value: "BUCKET", description: "Bucket to save to, with --save" },
  save: { short: "s", description: "Save the prediction" },
} as const;

/** Query parameters for the series and the buckets of a prediction. */
function placeQuery(places: {
  readonly series?: string | undefined;
  readonly page?: number | undefined;
  readonly "per-page"?: number | undefined;
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly save: boolean;
}): Query {
  const { series, page, "per-page": per_page, input, output, save } = places;
  return definedOnly<string | number | boolean>({
    series: readSeries(series),
    page,
    per_page,
    input_bucket: input,
    output_bucket: output,
    save_output_data: save,
  });
}

const train = defineCommand({
  name: "train-model",
  group: "models",
  summary: "Train a model on a range of its bucket",
  arguments: { model: { description: "Model name; 'a;b' = both, '*' = every model, in sequence" } },
  options: {
    ...rangeOptions,
    "max-evals": { short: "m", value: "N", type: "integer", description: "Hyper-parameter trials" },
    epochs: { short: "e", value: "N", type: "integer", description: "Passes over the data" },
    continue: { short: "c", description: "Continue from the current version" },
    seed: { value: "N", type: "integer", description: "Random seed" },
    input: { short: "i", value: "BUCKET", description: "Bucket to read from; overrides the model's" },
    ...detachOption,
  },
  examples: [
    ["torus train-model trips --from now-30d", "with a progress bar; Ctrl-C cancels it on the server"],
    ["torus train-model trips --from 2014-07-01 --to 2014-10-16 --detach", "prints the id of the job"],
    ["torus train-model '*' --from now-7d", "continues after a failure; exit code 1 if one failed"],
  ],
  async run(context, { arguments: { model: name }, options }) {
    const { "max-evals": evals, epochs, continue: isContinued, seed, input, detach } = options;
    const params = { max_evals: evals, epochs, continue: isContinued, seed, input_bucket: input };
    const query: Query = { ...rangeQuery(options), ...definedOnly<string | number | boolean>(params) };
    const work = (each: string) => trainOne(context, each, { query, detach });
    if (!/[*;]/.test(name)) {
      const answer = await work(name);
      if (context.globals.json) context.answer(answer);
      return undefined;
    }
    const names = await resolveModels(context, [name]);
    const done = detach ? "started training" : "trained";
    const { results, exitCode } = await runForEach(context, names, { done, work });
    // One document for all of them.
    if (context.globals.json) context.answer(results.filter((result) => result !== undefined));
    return exitCode;
  },
});

interface Training {
  readonly query: Query;
  readonly detach: boolean;
}

/** Trains one model and prints a summary. @returns the job, or its id with `--detach`. @throws JobError, ApiError */
async function trainOne(context: Context, name: string, { query, detach }: Training): Promise<unknown> {
  // The lasting client: an interrupt between the request and its answer must not lose the id.
  const id = await context.lasting.train(name, query);
  const isForPeople = !context.globals.json;
  if (detach) {
    if (isForPeople) context.print(id);
    return id;
  }
  const job = await followJob(context, id, `train ${name}`);
  if (isForPeople) context.note(await describeTraining(context, name, job));
  return job;
}

async function describeTraining(context: Context, name: string, { duration }: Job): Promise<string> {
  const [trained] = await context.client.call<Model[]>(`GET ${pathOf("models", [name])}`);
  const { loss, span } = trained!.state;
  return `trained ${name} in ${formatNumber(duration)} s: span ${formatNumber(span)}, loss ${formatNumber(loss)}`;
}

const forecast = defineCommand({
  name: "forecast-model",
  group: "models",
  summary: "Forecast a model's features, with a confidence band",
  arguments: model,
  options: {
    ...openRangeOptions,
    ...placeOptions,
    constraint: {
      short: "c",
      value: "TEST",
      description: "Report when a feature crosses a limit: <feature>:low|high:<number>",
    },
    confidence: {
      short: "p",
      value: "SHARE",
      type: "number",
      fallback: "0.68",
      description: "Confidence level of the band, 0..1",
    },
    ...detachOption,
  },
  examples: [
    ["torus forecast-model trips", "the next day"],
    ["torus forecast-model cpu --series host=a,cpu=0", "of one series of a model with group_by"],
    ["torus forecast-model disk --to now+7d -p 0.95 -c used:high:90", "and when 90 will be exceeded"],
  ],
  async run(context, { arguments: { model: name }, options }) {
    const { constraint, confidence: p_val, detach } = options;
    const params = definedOnly<string | number>({ constraint, p_val });
    const query: Query = { ...rangeQuery(options), ...placeQuery(options), ...params, bg: true };
    const path = `POST ${pathOf("models", [name])}/_forecast`;
    const submit = (client: Context["client"]) => client.call<string>(path, { query });
    const job = await runJob(context, { label: `forecast ${name}`, detach, submit });
    if (job) answerPrediction(context, job.result as SeriesResult | SeriesPage);
  },
});

const evaluate = defineCommand({
  name: "eval-model",
  aliases: ["predict-model"],
  group: "models",
  summary: "Predict known data for comparison; with -a also score it and flag anomalies",
  arguments: model,
  options: {
    ...rangeOptions,
    ...placeOptions,
    anomalies: { short: "a", description: "Score every point and flag anomalies" },
    ...recordOptions,
    ...detachOption,
  },
  examples: [["torus eval-model trips -f 2014-12-24 -t 2014-12-27 -a", "observed, expected, band, score"]],
  async run(context, { arguments: { model: name }, options }) {
    const { anomalies, record, hooks, detach } = options;
    const params = definedOnly({ detect_anomalies: anomalies, record, hooks });
    const query: Query = { ...rangeQuery(options), ...placeQuery(options), ...params, bg: true };
    const path = `POST ${pathOf("models", [name])}/_eval`;
    const submit = (client: Context["client"]) => client.call<string>(path, { query });
    const job = await runJob(context, { label: `evaluate ${name}`, detach, submit });
    if (!job) return;
    const { recorded, ...result } = job.result as (SeriesResult | SeriesPage) & {
      readonly recorded?: number;
    };
    answerPrediction(context, result);
    if (recorded !== undefined)
      context.note(`stored ${countOf(recorded, "anomaly", "anomalies")}: torus list-anomalies ${name}`);
  },
});

export const predictionCommands = [train, forecast, evaluate];
