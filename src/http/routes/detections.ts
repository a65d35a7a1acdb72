// Routes that detect and predict without a model: points in the body, the answer about them, nothing stored.
import { Type } from "@sinclair/typebox";
import { Detection, SeriesForecast } from "../../api/detection.ts";
import { JobId } from "../../api/job.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { DetectBody, PredictBody } from "../../resources/detections/series-request.ts";
import type { Asker, Work } from "../../resources/detections.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { commonQuery, query } from "../framework/params.ts";

const tags = ["points"];

const parameters = {
  ...commonQuery,
  bg: Type.Optional(Type.Boolean({ description: "Answer the id of a job at once" })),
};
const aboutMargins =
  "A point is an anomaly beyond `expected - lower margin` or `expected + upper margin`. Fields are those of the Azure Anomaly Detector, with ours beside them; the sensitivity is in the margins already.";
const takesLong =
  "With bg=true, with a network, or with more than 20 000 intervals a job does the work. With bg=true the answer is its id, and it keeps its result for a while; without, the result is the answer, and is not kept.";

/** Routes of detections and forecasts without a model. */
export function createDetectionRoutes(deps: Deps) {
  const { detections } = deps;
  return createInstance()
    .post("/_detect", (given) => answer(deps, given, (asker) => detections.detect(given.body, asker)), {
      query: query(parameters),
      body: documented(DetectBody),
      response: documented(Type.Union([Detection, JobId])),
      detail: {
        scope: "read",
        summary: "Look for anomalies in the points of the request; no model is stored",
        description: `${aboutMargins} ${takesLong}`,
        tags,
      },
    })
    .post("/_predict", (given) => answer(deps, given, (asker) => detections.predict(given.body, asker)), {
      query: query(parameters),
      body: documented(PredictBody),
      response: documented(Type.Union([SeriesForecast, JobId])),
      detail: {
        scope: "read",
        summary: "Predict what follows the points of the request; no model is stored",
        description: takesLong,
        tags,
      },
    });
}

type Deps = Pick<AppDeps, "detections" | "jobs" | "limits" | "holdOpen">;

interface Given {
  readonly query: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** What is there at once, the id of the job, or what the job answers in the end. */
async function answer(
  deps: Deps,
  { query: { bg }, request }: Given,
  ask: (asker: Asker) => Promise<Work<unknown>>,
) {
  const background = parseBoolean(bg ?? false, "bg");
  const work = await ask({ background, signal: request.signal });
  if ("answer" in work) return work.answer;
  return answerJob(deps, { wishes: { bg: background }, request, submit: async () => work });
}
