// Schemas of the bodies of detections and forecasts of a posted series.
import { Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { granularities } from "../../core/series/granularity.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { Holidays } from "../../core/time/holidays.ts";
import { INTERVAL_RULE } from "../../core/time/time.ts";
import { imputeModes } from "../../models/stateless/impute.ts";
import { forecasters } from "../../models/stateless/predict.ts";
import { Confidence, Percent } from "../models/request.ts";

/** Greatest value of a point, of either sign: sums of squares of larger ones would overflow. */
export const MAX_VALUE = 1e100;
/** Fewer points are refused. */
export const MIN_POINTS = { detection: 12, forecast: 3 };

const strict = { additionalProperties: false };

function oneOf<T extends string>(values: readonly T[], description: string) {
  const options = { rule: `must be one of ${values.join(", ")}`, description };
  return Type.Optional(oneOfWords(values, options));
}

function integer(minimum: number, maximum: number, description: string) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return Type.Optional(Type.Integer({ minimum, maximum, rule, description }));
}

const seriesOptions = {
  granularity: oneOf(
    granularities,
    "Distance of points: months, quarters and years by the calendar; workdays are Monday to Friday. `none`, `microsecond`: evenly spaced, timestamps are ignored",
  ),
  customInterval: integer(1, 1_000_000, "Granularities between two points, as in 5 for every five minutes"),
  bucket_interval: Type.Optional(
    Type.Union([Type.Literal("auto"), intervalSchema({ description: "Duration", examples: ["5m"] })], {
      rule: `${INTERVAL_RULE}; or auto`,
      description:
        "The same as a duration, in place of granularity; `auto`, or neither: months, quarters, years or workdays where all points follow them, else the most frequent distance",
    }),
  ),
  period: integer(0, 1_000_000, "Period of the series in points; 0: none; absent: detected"),
  imputeMode: oneOf(imputeModes, "Imputation of missing points; `auto`, `notFill`: none, they stay missing"),
  imputeFixedValue: Type.Optional(
    Type.Number({
      minimum: -MAX_VALUE,
      maximum: MAX_VALUE,
      rule: `must be between -${MAX_VALUE} and ${MAX_VALUE}`,
      description: "For imputeMode `fixed`",
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "IANA time zone of days, months, holidays and clock changes; default UTC. Timestamps that are all midnights of UTC are dates, the same in any zone",
      rule: "must be an IANA time zone, as in Europe/Paris",
    }),
  ),
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
  explain: optional.flag("Answer with `explanation`: members and shares, level, trend, breaks, errors"),
  min: optional.number(
    "Least possible value of the forecast and its bands; absent: 0 where no value is below it",
  ),
  max: optional.number("Greatest possible value of the forecast and its bands, as 100 of a percentage"),
  horizon: integer(1, 1_000_000, "Points to predict; default: one period, or 24"),
  p_val: Type.Optional(
    Type.Union([Confidence, Type.String()], {
      rule: "must be a number between 0 and 1, as in 0.95",
      description: "Confidence of lower..upper, 0..1; default 0.68",
    }),
  ),
  level: Type.Optional(
    Type.Union([Percent, Type.String(), Type.Array(Percent)], {
      rule: "must be percentages from 1 to below 100, as in [80, 95] or 80;95",
      description: "Further confidences, in percent: answered under `levels`",
    }),
  ),
  forecaster: oneOf(
    [...forecasters, "donut"],
    "`auto`: the average of the best without a network, chosen by forecasts of the past; `donut`: a network trained on the points, which takes seconds",
  ),
};

/** Named calendars belong to models. */
const { calendar: _calendar, ...holidaysOfRequest } = Holidays.properties;
const holidays = Type.Optional(
  Type.Object(holidaysOfRequest, {
    ...strict,
    description:
      "Days unlike others of their week, for points at most a day apart; past ones in `series` show how",
  }),
);

const Point = Type.Object({
  timestamp: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description: "ISO 8601 or seconds since the epoch; required unless points are evenly spaced",
    }),
  ),
  value: Type.Number(),
});

function points(minItems: number) {
  return Type.Array(Point, { minItems, description: "Points in the order of time, without missing ones" });
}

/** The points are checked by code, because there are too many for a schema. */
const unchecked = Type.Optional(Type.Unknown());

/** The body, but for its points. */
export const DetectOptions = Type.Object({ series: unchecked, ...detectOptions }, strict);
export const PredictOptions = Type.Object(
  { series: unchecked, ...predictOptions, holidays: Type.Optional(Holidays) },
  strict,
);

/** The whole body, for the OpenAPI document. */
export const DetectBody = Type.Object(
  { series: points(MIN_POINTS.detection), ...detectOptions },
  { ...strict, $id: "DetectRequest" },
);
export const PredictBody = Type.Object(
  { series: points(MIN_POINTS.forecast), ...predictOptions, holidays },
  { ...strict, $id: "PredictRequest" },
);
