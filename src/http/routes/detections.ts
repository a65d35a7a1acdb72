// Routes of detections and forecasts without a model: points in the body, nothing stored.
import { Type } from "@sinclair/typebox";
import { Detection, SeriesForecast, StoredDetection } from "../../api/detection.ts";
import { JobId } from "../../api/job.ts";
import { optional } from "../../core/input/optional.ts";
import { parseBoolean } from "../../core/input/value.ts";
import type { AnswerOrJob, DetectionOptions } from "../../resources/detections/index.ts";
import { DetectBody, PredictBody } from "../../resources/detections/series-request.ts";
import { StoredDetectBody } from "../../resources/detections/stored-request.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { commonQuery, pathNames, query } from "../framework/params.ts";

const tags = ["points"];

const parameters = {
  ...commonQuery,
  bg: optional.flag("Answer the id of a job"),
};
const aboutMargins =
  "A point outside `expected - lower margin` to `expected + upper margin` is an anomaly. The fields are those of the Azure Anomaly Detector and some more; margins include the sensitivity.";
const aboutJobs =
  "With bg=true, with a network, or with more than 20 000 intervals a job does the work. With bg=true the answer is its id, and the job stores its result; otherwise the answer is the result, which is not stored.";

/** Routes of detections and forecasts without a model. */
export function createDetectionRoutes(deps: Deps) {
  const { detections } = deps;
  return createInstance()
    .post("/_detect", (sent) => answer(deps, sent, (asker) => detections.detect(sent.body, asker)), {
      query: query(parameters),
      body: documented(DetectBody),
      response: documented(Type.Union([Detection, JobId])),
      detail: {
        scope: "read",
        summary: "Detect anomalies in the points of the request; no model is stored",
        description: `${aboutMargins} ${aboutJobs}`,
        tags,
      },
    })
    .post("/_predict", (sent) => answer(deps, sent, (asker) => detections.predict(sent.body, asker)), {
      query: query(parameters),
      body: documented(PredictBody),
      response: documented(Type.Union([SeriesForecast, JobId])),
      detail: {
        scope: "read",
        summary: "Forecast the points of the request; no model is stored",
        description: aboutJobs,
        tags,
      },
    })
    .use(createStoredDetectionRoute(deps));
}

function createStoredDetectionRoute({ bucketDetections, holdOpen }: Deps) {
  return createInstance().post(
    "/buckets/:names/_detect",
    async ({ params, body, request }) => {
      holdOpen(request);
      return await bucketDetections.detect(readName(params.names), body, request.signal);
    },
    {
      params: pathNames("Bucket name"),
      body: documented(StoredDetectBody),
      response: documented(StoredDetection),
      detail: {
        scope: "read",
        summary: "Detect anomalies in the points of a bucket; no model is stored",
        description:
          "As `_detect`, with points that stay on the server: a first look at what a model would watch. Scores use the whole range, later points too.",
        idempotent: true,
        tags,
      },
    },
  );
}

type Deps = Pick<AppDeps, "detections" | "bucketDetections" | "jobs" | "limits" | "holdOpen">;

interface SeriesRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** An immediate result, the id of the job, or the result of the job. */
async function answer(
  deps: Deps,
  { query: { bg }, request }: SeriesRequest,
  start: (asker: DetectionOptions) => Promise<AnswerOrJob<unknown>>,
) {
  const background = parseBoolean(bg ?? false, "bg");
  const work = await start({ background, signal: request.signal });
  if ("answer" in work) return work.answer;
  return answerJob(deps, { params: { bg: background }, request, submit: async () => work });
}
