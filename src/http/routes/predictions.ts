// Routes of training, forecast and evaluation of a model.
import { Type } from "@sinclair/typebox";
import { JobId, TrainingJob } from "../../api/job.ts";
import { FleetForecast, FleetPrediction, Forecast, Prediction } from "../../api/prediction.ts";
import { date } from "../../api/shown.ts";
import { MAX_SERIES_PAGE } from "../../resources/models/params.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { mergeParams, type Params, parameters, pathNames, query } from "../framework/params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const range = { from: date("Start, inclusive"), to: date("End, exclusive; default now") };
const trainParameters = {
  ...range,
  input_bucket: text("Bucket to read instead of the model's own"),
  max_evals: integer("Hyper-parameter trials"),
  epochs: integer("Passes over the data"),
  seed: Type.Optional(
    Type.Integer({ minimum: 0, description: "Seed of the random numbers; equal seeds give equal networks" }),
  ),
  continue: flag("Continue from the current version"),
  guard: flag("Keep the active version where the new one is clearly worse on the last days of the range"),
};
const predictParameters = {
  ...range,
  bg: flag("Answer the id of the job"),
  input_bucket: text("Bucket to read instead of the model's own"),
  output_bucket: text("Bucket to save to"),
  save_output_data: flag("Save the prediction"),
  series: text("Of a model with `group_by`: one series, as in `host:a,cpu:0`; default: a page of all"),
  page: Type.Optional(Type.Integer({ minimum: 0, description: "Of a model with `group_by`: page, from 0" })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_SERIES_PAGE, description: "Series of a page; default 10" }),
  ),
};
const forecastParameters = {
  ...predictParameters,
  p_val: Type.Optional(Type.Number({ description: "Confidence level of the interval, 0..1" })),
  level: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Array(Type.Number())], {
      description: "Further levels in percent, as in `80;95`; returned in `levels`",
    }),
  ),
  constraint: text("`<feature>:low|high:<number>`"),
};
const evalParameters = {
  ...predictParameters,
  flag_abnormal_data: flag("Add `stats`"),
  detect_anomalies: flag("Same as flag_abnormal_data"),
  record: flag(
    "Record the anomalies with the model; recording a range again replaces them. Needs scope `run`",
  ),
  hooks: flag("With record: also notify hooks of anomalies that were not recorded before"),
  live_scores: flag(
    "Show what live detection recorded in place of evaluated scores, expected values and bands; default true",
  ),
  mode: text("`causal` (as live; default), or `batch`: scores also use later points; adds `causal_score`"),
};

const fleetPages =
  "Of a model with `group_by`, `series` selects one series; without it the answer is a page of the series of the active " +
  "version, `series`, each with its `tags`. One without enough data in the range has a `code` and an `error` instead.";
const tags = ["models"];

/** Routes of work on models. */
export function createPredictionRoutes(deps: Pick<AppDeps, "models" | "jobs" | "limits" | "holdOpen">) {
  const { models } = deps;
  const params = pathNames("Model name");
  return createInstance()
    .use(createTrainingRoutes(models))
    .post(
      "/models/:names/_forecast",
      ({ params: { names }, query, body, request }) => {
        const params = mergeParams(query, body);
        return answerJob(deps, {
          params,
          request,
          submit: (options) => models.forecast(readName(names), params, options),
        });
      },
      {
        params,
        query: query(),
        body: parameters("ForecastParameters", forecastParameters),
        response: documented(Type.Union([Forecast, FleetForecast, JobId])),
        detail: { scope: "read", summary: "Forecast", description: fleetPages, tags },
      },
    )
    .post(
      "/models/:names/_eval",
      ({ params: { names }, query, body, request }) => {
        const params = mergeParams(query, body);
        return answerJob(deps, {
          params,
          request,
          submit: (options) => models.evaluate(readName(names), params, options),
        });
      },
      {
        params,
        query: query(),
        body: parameters("EvalParameters", evalParameters),
        response: documented(Type.Union([Prediction, FleetPrediction, JobId])),
        detail: {
          scope: "read",
          summary: "Evaluate: predict and score past data",
          description: fleetPages,
          tags,
        },
      },
    );
}

function createTrainingRoutes(models: AppDeps["models"]) {
  return createInstance()
    .post(
      "/models/:names/_train",
      ({ params, query, body }) => train(models, readNames(params.names), mergeParams(query, body)),
      {
        params: pathNames("Model names, separated by `;`"),
        query: query(),
        body: parameters("TrainParameters", trainParameters),
        response: documented(Type.Union([JobId, Type.Array(JobId)])),
        detail: {
          scope: "run",
          summary: "Train",
          conflict: "The model is in training; `job_id` is its job",
          tags,
        },
      },
    )
    .get("/models/:names/training", ({ params }) => models.training(readName(params.names)), {
      params: pathNames("Model name"),
      query: query(),
      response: documented(TrainingJob),
      detail: { scope: "read", summary: "Get the last training", tags },
    });
}

/** @returns the job id for one name, a list of ids for several */
async function train(models: AppDeps["models"], names: string[], params: Params) {
  const ids = await models.trainAll(names, params);
  return names.length === 1 ? ids[0] : ids;
}
