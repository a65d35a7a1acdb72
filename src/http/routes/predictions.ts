// Routes of training, forecast and evaluation of a model.
import { Type } from "@sinclair/typebox";
import { JobId, TrainingJob } from "../../api/job.ts";
import { FleetForecast, FleetPrediction, Forecast, Prediction } from "../../api/prediction.ts";
import { predictionColumns } from "../../resources/columns/prediction-columns.ts";
import { evalParameters, forecastParameters, trainParameters } from "../../resources/models/request.ts";
import type { TableFormat } from "../columns/accept.ts";
import { answerJobTable, chooseTable, tableMedia } from "../columns/table-answer.ts";
import { answerJob, type JobRequest } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { mergeParams, type Params, parameters, pathNames } from "../framework/params.ts";

const fleetPages =
  "Of a model with `group_by`, `series` selects one series; without it the answer is a page of the series of the active " +
  "version, `series`, each with its `tags`. One without enough data in the range has a `code` and an `error` instead.";
const columns =
  "With `Accept: text/csv` or `application/vnd.apache.arrow.stream` it is a table: `time`, the tags of the series of a " +
  "page, `observed_<feature>`, `predicted_<feature>`, `lower_<feature>`, `upper_<feature>`, and with `detect_anomalies` " +
  "`score`, `mse`, `nll`, `range_score`, `anomaly`.";
const description = `${fleetPages} ${columns}`;
const tags = ["models"];

/** Routes of work on models. */
export function createPredictionRoutes(deps: Pick<AppDeps, "models" | "jobs" | "limits" | "holdOpen">) {
  const { models } = deps;
  const params = pathNames("Model name");
  return createInstance()
    .use(createTrainingRoutes(models))
    .post(
      "/models/:names/_forecast",
      ({ params: { names }, query, body, request, set }) => {
        const params = mergeParams(query, body);
        return answerPrediction(deps, {
          params,
          request,
          format: chooseTable(request, set),
          submit: (options) => models.forecast(readName(names), params, options),
        });
      },
      {
        params,
        ...parameters("ForecastParameters", forecastParameters),
        response: documented(Type.Union([Forecast, FleetForecast, JobId])),
        detail: { scope: "read", summary: "Forecast", description, media: tableMedia, tags },
      },
    )
    .post(
      "/models/:names/_eval",
      ({ params: { names }, query, body, request, set }) => {
        const params = mergeParams(query, body);
        return answerPrediction(deps, {
          params,
          request,
          format: chooseTable(request, set),
          submit: (options) => models.evaluate(readName(names), params, options),
        });
      },
      {
        params,
        ...parameters("EvalParameters", evalParameters),
        response: documented(Type.Union([Prediction, FleetPrediction, JobId])),
        detail: {
          scope: "read",
          summary: "Evaluate: predict and score past data",
          description,
          media: tableMedia,
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
        ...parameters("TrainParameters", trainParameters),
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
      response: documented(TrainingJob),
      detail: { scope: "read", summary: "Get the last training", tags },
    });
}

interface PredictionRequest extends JobRequest {
  /** Absent: JSON. */
  readonly format: TableFormat | undefined;
  readonly submit: (options: { readonly foreground: boolean }) => ReturnType<AppDeps["models"]["evaluate"]>;
}

function answerPrediction(
  deps: Pick<AppDeps, "jobs" | "limits" | "holdOpen">,
  { format, ...request }: PredictionRequest,
) {
  if (!format) return answerJob(deps, request);
  return answerJobTable(deps, { ...request, format, columnsOf: predictionColumns });
}

/** @returns the job id for one name, a list of ids for several */
async function train(models: AppDeps["models"], names: string[], params: Params) {
  const ids = await models.trainAll(names, params);
  return names.length === 1 ? ids[0] : ids;
}
