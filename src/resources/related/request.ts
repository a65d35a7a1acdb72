// Parameters of requests for related series.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import { given, givenNumber, type Params } from "../shared/range.ts";

/** Entries of an answer without `limit`, and most. */
const DEFAULT_RELATED = 10;
const MAX_RELATED = 100;

export const relatedParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RELATED,
      default: DEFAULT_RELATED,
      description: "Maximum number of related series",
    }),
  ),
};

/** Of a scan. */
export const scanParameters = {
  scan: optional.flag(
    "Score the series of a bucket that no model watches, up to 2000: a job, which takes seconds to minutes",
  ),
  bucket: optional.text("Of a scan: the bucket; of an anomaly that of its model by default"),
  bucket_interval: Type.Optional(
    intervalSchema({ description: "Of a scan: length of an interval; of an anomaly that of its model" }),
  ),
  bg: optional.flag("Of a scan: answer the id of the job"),
};

export const relatedRange = {
  from: needed(date("Start of the range in which they began to deviate (required)")),
  to: date("End, exclusive (default: now)"),
  tags: Type.Optional(
    Type.String({ description: "Only series with these tags, as in `host:a,cpu:0`", maxLength: 4096 }),
  ),
};

/** What is checked before anything is looked for. @throws TorusError `invalid` */
export function parseOptions(params: Params): {
  readonly limit: number;
  /** Of a scan; undefined: not given. */
  readonly intervalMs: number | undefined;
} {
  const interval = given(params, "bucket_interval");
  return {
    limit: givenNumber(relatedParameters, params, "limit") ?? DEFAULT_RELATED,
    intervalMs: interval === undefined ? undefined : parseInterval(interval),
  };
}

/** @returns ms. @throws TorusError `invalid` */
function parseInterval(value: unknown): number {
  const intervalMs = parseDuration(value, "bucket_interval");
  if (intervalMs === 0) throw invalid("bucket_interval", "must be longer than 0, as in 5m");
  return intervalMs;
}
