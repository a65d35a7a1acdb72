// Routes that detect and predict without a model: points in the body, the answer about them, nothing stored.
import { Type } from "@sinclair/typebox";
import { DetectBody, PredictBody } from "../resources/series-request.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { query } from "./params.ts";

const about = {
  period: Type.Integer({ description: "Intervals after which the series repeats itself; 0 = it does not" }),
  missing: Type.Integer({ description: "Intervals without a point between the first and the last" }),
};
const margin = "Distance of the edge from the expected value";
const severity = "0 for normal points; else the share of the distance that lies beyond the margin";
const score = "0..100: how rarely a normal point of the series lies so far off";
const numbers = (description?: string) => Type.Array(Type.Number(), { ...(description && { description }) });
const flags = Type.Array(Type.Boolean());
const band = { lower: numbers(), upper: numbers() };

const Entire = Type.Object({
  ...about,
  expectedValues: numbers("One entry per point, as in all lists"),
  upperMargins: numbers(margin),
  lowerMargins: numbers(margin),
  isAnomaly: flags,
  isPositiveAnomaly: flags,
  isNegativeAnomaly: flags,
  severity: numbers(severity),
  scores: numbers(score),
});
const Last = Type.Object({
  ...about,
  suggestedWindow: Type.Integer({ description: "Points that tell as much of the last one as more would" }),
  expectedValue: Type.Number(),
  upperMargin: Type.Number({ description: margin }),
  lowerMargin: Type.Number({ description: margin }),
  isAnomaly: Type.Boolean(),
  isPositiveAnomaly: Type.Boolean(),
  isNegativeAnomaly: Type.Boolean(),
  severity: Type.Number({ description: severity }),
  score: Type.Number({ description: score }),
});
const Forecast = Type.Object({
  ...about,
  timestamps: Type.Optional(numbers("Seconds since the epoch; absent where the points have none")),
  predicted: numbers(),
  ...band,
  levels: Type.Optional(
    Type.Record(Type.String(), Type.Object(band), { description: "By level in percent" }),
  ),
  forecast_error: Type.Number({
    description: "Mean absolute error on the past, 1 = as far off as repeating the last season",
  }),
});
const tags = ["points"];

/** Routes of detections and forecasts without a model. */
export function createDetectionRoutes({ detections }: Pick<AppDeps, "detections">) {
  return createInstance()
    .post("/_detect", ({ body, request }) => detections.detect(body, request.signal), {
      query: query(),
      body: documented(DetectBody),
      response: documented(Type.Union([Entire, Last])),
      detail: {
        scope: "read",
        summary: "Look for anomalies in the points of the request; nothing is stored",
        description:
          "A point is an anomaly beyond `expected - lower margin` or `expected + upper margin`. Fields are those of the Azure Anomaly Detector, with ours beside them; the sensitivity is in the margins already.",
        tags,
      },
    })
    .post("/_predict", ({ body, request }) => detections.predict(body, request.signal), {
      query: query(),
      body: documented(PredictBody),
      response: documented(Forecast),
      detail: {
        scope: "read",
        summary: "Predict what follows the points of the request; nothing is stored",
        tags,
      },
    });
}
