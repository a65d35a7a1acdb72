// Routes of training, forecast and evaluation of a model.
import { Type } from "@sinclair/typebox";
import { JobId, TrainingJob } from "../../api/job.ts";
import { FleetForecast, FleetPrediction, Forecast, Prediction } from "../../api/prediction.ts";
import { evalParameters, forecastParameters, trainParameters } from "../../resources/models/request.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { mergeParams, type Params, parameters, pathNames, query } from "../framework/params.ts";

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
