// Schemas of the bodies of detections and forecasts of a posted series.
import { Type } from "@sinclair/typebox";
import { granularities } from "../../core/series/granularity.ts";
import { durationSchema } from "../../core/time/duration-schema.ts";
import { imputeModes } from "../../models/stateless/impute.ts";
import { forecasters } from "../../models/stateless/predict.ts";

const strict = { additionalProperties: false };

function oneOf<T extends string>(values: readonly T[], description: string) {
  const options = { rule: `must be one of ${values.join(", ")}`, description };
  return Type.Optional(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );
}

function integer(minimum: number, maximum: number, description: string) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return Type.Optional(Type.Integer({ minimum, maximum, rule, description }));
}

const seriesOptions = {
  granularity: oneOf(
    granularities,
    "Distance of points; months and years by the calendar. `none`, `microsecond`: evenly spaced, timestamps are ignored",
  ),
  customInterval: integer(1, 1_000_000, "Granularities between two points, as in 5 for every five minutes"),
  bucket_interval: Type.Optional(
    Type.Union([Type.Literal("auto"), durationSchema({ description: "Duration", examples: ["5m"] })], {
      rule: "must be auto, or a duration: a number and a unit (s m h d w M y), as in 30s, 5m or 1d",
      description:
        "The same as a duration, in place of granularity; `auto`, or neither: the most frequent distance",
    }),
  ),
  period: integer(0, 1_000_000, "Period of the series in points; 0: none; absent: detected"),
  imputeMode: oneOf(imputeModes, "Imputation of missing points; `auto`, `notFill`: none, they stay missing"),
  imputeFixedValue: Type.Optional(Type.Number({ description: "For imputeMode `fixed`" })),
};

const detectOptions = {
  ...seriesOptions,
  mode: oneOf(
    ["entire", "last"],
    "Every point, compared with all others; or the last one, compared with those before it",
  ),
  detector: oneOf(
    ["companions", "ensemble"],
    "Detectors: trend, season and linear companion; `ensemble`: plus a Donut network trained on the points, which takes seconds",
  ),
  sensitivity: integer(0, 99, "0: widest margins, 99: narrowest; default 95"),
  maxAnomalyRatio: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 0.5,
      rule: "must be above 0 and below 0.5, as in 0.25",
      description: "Largest share of points reported as anomalies; default 0.25",
    }),
  ),
  anomaly_type: oneOf(["low", "high", "low_high"], "Directions that count; default low_high"),
};

const predictOptions = {
  ...seriesOptions,
  horizon: integer(1, 1_000_000, "Points to predict; default: one period, or 24"),
  p_val: Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      rule: "must be a number between 0 and 1, as in 0.95",
      description: "Confidence of lower..upper, 0..1; default 0.68",
    }),
  ),
  level: Type.Optional(
    Type.Union([Type.Number(), Type.String(), Type.Array(Type.Number())], {
      rule: "must be percentages, as in [80, 95] or 80;95",
      description: "Further confidences, in percent: answered under `levels`",
    }),
  ),
  forecaster: oneOf(
    [...forecasters, "donut"],
    "`auto`: the average of the best without a network, chosen by forecasts of the past; `donut`: a network trained on the points, which takes seconds",
  ),
};

const series = Type.Array(
  Type.Object({
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: "ISO 8601 or seconds since the epoch; required unless points are evenly spaced",
      }),
    ),
    value: Type.Number(),
  }),
  { minItems: 12, description: "Points in the order of time, without missing ones" },
);

/** The points are checked by code, because there are too many for a schema. */
const unchecked = Type.Optional(Type.Unknown());

/** The body, but for its points. */
export const DetectOptions = Type.Object({ series: unchecked, ...detectOptions }, strict);
export const PredictOptions = Type.Object({ series: unchecked, ...predictOptions }, strict);

/** The whole body, for the OpenAPI document. */
export const DetectBody = Type.Object({ series, ...detectOptions }, { ...strict, $id: "DetectRequest" });
export const PredictBody = Type.Object({ series, ...predictOptions }, { ...strict, $id: "PredictRequest" });
