// Routes that put a model to work: training, forecast, evaluation; in the background or while the client waits.
import { Type } from "@sinclair/typebox";
import { answerJob } from "./answer-job.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName, readNames } from "./names.ts";
import { commonQuery, mergeParams, type Params, pathNames, query } from "./params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const range = { from: text("Start, inclusive"), to: text("End, exclusive; default now") };
const trainParameters = {
  ...commonQuery,
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
  ...commonQuery,
  ...range,
  bg: flag("Answer the id of the job at once"),
  input_bucket: text("Bucket to read instead of the model's own"),
  output_bucket: text("Bucket to save to"),
  save_output_data: flag("Save the prediction"),
};
const forecastParameters = {
  ...predictParameters,
  p_val: Type.Optional(Type.Number({ description: "Confidence level of the interval, 0..1" })),
  constraint: text("`<feature>:low|high:<number>`"),
};
const evalParameters = {
  ...predictParameters,
  flag_abnormal_data: flag("Add `stats`"),
  detect_anomalies: flag("Same as flag_abnormal_data"),
  mode: text(
    "`causal` (as live; default), or `batch`: scores that also know what came later, with `causal_score`",
  ),
};

const series = Type.Record(Type.String(), Type.Array(Type.Union([Type.Number(), Type.Null()])));
const Prediction = Type.Object({
  timestamps: Type.Array(Type.Number()),
  observed: series,
  predicted: series,
});
const JobId = Type.String({ format: "uuid", description: "Id of the job" });
const tags = ["models"];

/** Routes that start work on models. */
export function createPredictionRoutes(deps: Pick<AppDeps, "models" | "jobs" | "limits" | "holdOpen">) {
  const { models } = deps;
  const params = pathNames("Model name");
  const answers = documented(Type.Union([Prediction, JobId]));
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
        query: query(forecastParameters),
        body: documented(Type.Object(forecastParameters)),
        response: answers,
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
        query: query(evalParameters),
        body: documented(Type.Object(evalParameters)),
        response: answers,
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
        query: query(trainParameters),
        body: documented(Type.Object(trainParameters)),
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
      response: documented(Type.Object({ id: JobId })),
      detail: { scope: "read", summary: "The last training", tags },
    });
}

/** One name answers its job's id; several answer one id each. */
async function train(models: AppDeps["models"], names: string[], params: Params) {
  const ids = await models.trainAll(names, params);
  return names.length === 1 ? ids[0] : ids;
}
