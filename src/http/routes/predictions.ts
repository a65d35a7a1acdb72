// Routes that put a model to work: training, forecast, evaluation; in the background or while the client waits.
import { Type } from "@sinclair/typebox";
import { JobId, TrainingJob } from "../../api/job.ts";
import { Forecast, Prediction } from "../../api/prediction.ts";
import { date } from "../../api/shown.ts";
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
  continue: flag("Go on from the current version"),
};
const predictParameters = {
  ...range,
  bg: flag("Answer the id of the job at once"),
  input_bucket: text("Bucket to read instead of the model's own"),
  output_bucket: text("Bucket to save to"),
  save_output_data: flag("Save the prediction"),
};
const forecastParameters = {
  ...predictParameters,
  p_val: Type.Optional(Type.Number({ description: "Confidence level of the interval, 0..1" })),
  level: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Array(Type.Number())], {
      description: "Further levels in percent, as in `80;95`: answered under `levels`",
    }),
  ),
  constraint: text("`<feature>:low|high:<number>`"),
};
const evalParameters = {
  ...predictParameters,
  flag_abnormal_data: flag("Add `stats`"),
  detect_anomalies: flag("Same as flag_abnormal_data"),
  record: flag(
    "Keep the anomalies among those of the model; the same range again replaces them. Needs scope `run`",
  ),
  hooks: flag("With record: call the hooks, too, for anomalies that were not kept before"),
  mode: text(
    "`causal` (as live; default), or `batch`: scores that also know what came later, with `causal_score`",
  ),
};

const tags = ["models"];

/** Routes that start work on models. */
export function createPredictionRoutes(deps: Pick<AppDeps, "models" | "jobs" | "limits" | "holdOpen">) {
  const { models } = deps;
  const params = pathNames("Model name");
  return createInstance()
    .use(createTrainingRoutes(models))
    .post(
      "/models/:names/_forecast",
      async ({ params, query, body, request }) => {
        const wishes = mergeParams(query, body);
        return answerJob(deps, {
          wishes,
          request,
          submit: (options) => models.forecast(readName(params.names), wishes, options),
        });
      },
      {
        params,
        query: query(),
        body: parameters("ForecastParameters", forecastParameters),
        response: documented(Type.Union([Forecast, JobId])),
        detail: { scope: "read", summary: "Forecast", tags },
      },
    )
    .post(
      "/models/:names/_eval",
      async ({ params, query, body, request }) => {
        const wishes = mergeParams(query, body);
        return answerJob(deps, {
          wishes,
          request,
          submit: (options) => models.evaluate(readName(params.names), wishes, options),
        });
      },
      {
        params,
        query: query(),
        body: parameters("EvalParameters", evalParameters),
        response: documented(Type.Union([Prediction, JobId])),
        detail: { scope: "read", summary: "Predict and score what is known", tags },
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
          conflict: "The model is in training; `job_id` names the job",
          tags,
        },
      },
    )
    .get("/models/:names/training", ({ params }) => models.training(readName(params.names)), {
      params: pathNames("Model name"),
      query: query(),
      response: documented(TrainingJob),
      detail: { scope: "read", summary: "The last training", tags },
    });
}

/** One name answers its job's id; several answer one id each. */
async function train(models: AppDeps["models"], names: string[], params: Params) {
  const ids = await models.trainAll(names, params);
  return names.length === 1 ? ids[0] : ids;
}
