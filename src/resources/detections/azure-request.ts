// Requests of the Azure AI Anomaly Detector, as those of `_detect`.
// Reference: Azure REST API, Anomaly Detector 1.0 and 1.1, Univariate.
import { type TObject, Type } from "@sinclair/typebox";
import type { AzureErrorCode } from "../../api/protocols/azure.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { coerceStrings } from "../../core/input/coerce.ts";
import { isRecord } from "../../core/input/json.ts";
import { check, dropNulls } from "../../core/input/schema.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { MIN_WINDOW } from "../../models/stateless/change-points.ts";
import { DetectBody } from "./series-request.ts";

/** Points of a request beyond which the service refuses it. */
export const MAX_POINTS = 8640;
/** Most intervals from the first to the last point: as many again, for missing ones. */
export const MAX_INTERVALS = 17_280;

const { series, customInterval, period, maxAnomalyRatio, sensitivity, imputeMode, imputeFixedValue } =
  DetectBody.properties;

/** `perMinute` and `perSecond` are the names of two granularities in clients of version 1.0. */
const aliases: Readonly<Record<string, string>> = { perMinute: "minutely", perSecond: "secondly" };
const granularities = [
  "yearly",
  "monthly",
  "weekly",
  "daily",
  "hourly",
  "minutely",
  "secondly",
  "microsecond",
  "none",
  ...Object.keys(aliases),
];

const Granularity = oneOfWords(granularities, {
  rule: `must be one of ${granularities.join(", ")}`,
  description:
    "Distance of points; default `none`: evenly spaced, timestamps are ignored, as with `microsecond`",
});

const seriesOptions = {
  series: { ...series, maxItems: MAX_POINTS },
  granularity: Type.Optional(Granularity),
  customInterval,
  period,
};
const changePointOptions = {
  stableTrendWindow: Type.Optional(
    Type.Integer({
      minimum: MIN_WINDOW,
      maximum: MAX_POINTS,
      rule: `must be a whole number from ${MIN_WINDOW} to ${MAX_POINTS}`,
      description:
        "Points before and after a change through which the trend is stable; default: by the length of the series, 5 to 100",
    }),
  ),
  threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      rule: "must be a number from 0 to 1",
      description: "A point is a change point if its confidence is above 1 - threshold; default 0.9",
    }),
  ),
};

/** Unknown fields are ignored, as the service does. */
export const AzureDetectBody = Type.Object(
  { ...seriesOptions, maxAnomalyRatio, sensitivity, imputeMode, imputeFixedValue },
  { $id: "AzureDetectRequest" },
);
export const AzureChangePointBody = Type.Object(
  { ...seriesOptions, ...changePointOptions },
  { $id: "AzureChangePointRequest" },
);

/**
 * The body of `_detect` that asks the same.
 * @param schema of the body
 * @throws TorusError `invalid` with the code of the service under `error_code`, where no path tells it
 */
export function toDetectBody(schema: TObject, body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with the points in series");
  checkSeries(body.series);
  const { granularity = "none", ...rest } = pickKnown(schema, body);
  const name = check(Granularity, granularity, "granularity");
  return { ...rest, granularity: aliases[name] ?? name };
}

/**
 * Options of change points, and the body of `_detect` with the same series.
 * @throws TorusError `invalid`, as `toDetectBody`
 */
export function toChangePointBody(body: unknown) {
  const { stableTrendWindow, threshold, ...detect } = toDetectBody(AzureChangePointBody, body);
  const { series: points, granularity } = body as Record<string, unknown>;
  if ((granularity ?? null) === null && hasTimestamps(points))
    throw withCode("RequiredGranularity", "granularity", "is required for points with timestamps");
  const schema = Type.Object(changePointOptions);
  const options = check(schema, coerceStrings(schema, { stableTrendWindow, threshold }));
  return { detect, options };
}

/** A copy with the fields of the schema that are not null. */
function pickKnown(schema: TObject, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(body).filter(([key]) => Object.hasOwn(schema.properties, key));
  return dropNulls(schema, Object.fromEntries(known));
}

function checkSeries(points: unknown): void {
  if (points === undefined || points === null)
    throw withCode("RequiredSeries", "series", "is required: an array of points [{timestamp, value}, ...]");
  if (!Array.isArray(points) || points.length <= MAX_POINTS) return;
  throw invalid("series", `has ${points.length} points, at most ${MAX_POINTS} are allowed: send the newest`);
}

function hasTimestamps(points: unknown): boolean {
  return (
    Array.isArray(points) && points.some((point) => isRecord(point) && (point.timestamp ?? null) !== null)
  );
}

function withCode(error_code: AzureErrorCode, path: string, message: string): TorusError {
  return new TorusError("invalid", `${path}: ${message}`, { path, error_code });
}
