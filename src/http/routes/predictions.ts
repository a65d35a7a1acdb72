// Routes of training, forecast and evaluation of a model.
import { Type } from "@sinclair/typebox";
import { JobId, TrainingJob } from "../../api/job.ts";
import { FleetForecast, FleetPrediction, Forecast, Prediction } from "../../api/prediction.ts";
import { predictionColumns } from "../../resources/columns/prediction-columns.ts";
import { evalParameters, forecastParameters, trainParameters } from "../../resources/models/request.ts";
import { answerJobTable, chooseTable, tableMedia } from "../columns/table-answer.ts";
import { answerJob } from "../framework/answer-job.ts";
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
  const predict =
    (work: "forecast" | "evaluate") =>
    ({ params: { names }, query, body, request, set }: PredictionContext) => {
      const params = mergeParams(query, body);
      const submit = (options: { readonly foreground: boolean }) =>
        models[work](readName(names), params, options);
      const format = chooseTable(request, set);
      if (!format) return answerJob(deps, { params, request, submit });
      return answerJobTable(deps, { params, request, submit, format, columnsOf: predictionColumns });
    };
  const shared = { description, media: tableMedia, tags };
  return createInstance()
    .use(createTrainingRoutes(models))
    .post("/models/:names/_forecast", predict("forecast"), {
      params,
      ...parameters("ForecastParameters", forecastParameters),
      response: documented(Type.Union([Forecast, FleetForecast, JobId])),
      detail: { scope: "read", summary: "Forecast", ...shared },
    })
    .post("/models/:names/_eval", predict("evaluate"), {
      params,
      ...parameters("EvalParameters", evalParameters),
      response: documented(Type.Union([Prediction, FleetPrediction, JobId])),
      detail: { scope: "read", summary: "Evaluate: predict and score past data", ...shared },
    });
}

interface PredictionContext {
  readonly params: { readonly names: string };
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly request: Request;
  readonly set: { readonly headers: Record<string, unknown> };
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

/** @returns the job id for one name, a list of ids for several */
async function train(models: AppDeps["models"], names: string[], params: Params) {
  const ids = await models.trainAll(names, params);
  return names.length === 1 ? ids[0] : ids;
}
