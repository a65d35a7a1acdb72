// Request of a detection in a bucket: the source of the values, the range, and their bounds.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { needed } from "../../core/input/optional.ts";
import { check, dropNulls } from "../../core/input/schema.ts";
import { completeRange, countIntervals, type Range } from "../../core/series/grid.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { INTERVAL_RULE, parseDuration } from "../../core/time/time.ts";
import { parseRange } from "../shared/range.ts";
import { requireSource, ValueSource } from "../shared/source.ts";

/** Intervals of a detection within a request. */
const MAX_INTERVALS = 20_000;
const DEFAULT_CELLS = 600;

export const StoredDetectBody = Type.Object(
  {
    feature: ValueSource,
    bucket_interval: Type.Optional(
      Type.Union([Type.Literal("auto"), intervalSchema({ description: "Length of an interval" })], {
        default: "auto",
        rule: `${INTERVAL_RULE}; or auto`,
        description: `Length of an interval; \`auto\`: one that fits the points, of the newest ${MAX_INTERVALS} intervals`,
      }),
    ),
    from: needed(date("Start, inclusive; required")),
    to: date("End, exclusive; default: now"),
    points: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2000,
        default: DEFAULT_CELLS,
        rule: "must be a whole number from 1 to 2000",
        description: "Most cells to cut the range into",
      }),
    ),
    max_threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        rule: "must be a number from 0 to 100",
        description:
          "An anomaly starts above this score, and ends below a seventh of it; by default one in three ranges of normal values shows one",
      }),
    ),
  },
  { additionalProperties: false, $id: "StoredDetectRequest" },
);

export interface StoredRequest {
  readonly source: ValueSource;
  /** Undefined: to be found. */
  readonly intervalMs: number | undefined;
  readonly range: Range;
  readonly cells: number;
  /** Undefined: by the number of values. */
  readonly maxThreshold: number | undefined;
}

/** @throws TorusError `invalid` */
export function parseStoredRequest(body: unknown, nowAt: number): StoredRequest {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with feature and from");
  const sent = dropNulls(StoredDetectBody, body);
  const feature = isRecord(sent.feature) && dropNulls(ValueSource, sent.feature);
  const { from, to, ...options } = check(StoredDetectBody, { ...sent, ...(feature && { feature }) });
  const { feature: source, bucket_interval: interval = "auto" } = options;
  requireSource(source);
  if (source.query && interval === "auto")
    throw invalid(
      "bucket_interval",
      "must be a duration such as 5m: the points of a query cannot be counted",
    );
  const intervalMs = interval === "auto" ? undefined : parseDuration(interval, "bucket_interval");
  if (intervalMs === 0) throw invalid("bucket_interval", "must be longer than 0, as in 5m");
  return {
    source,
    intervalMs,
    range: parseRange({ from, to }, { nowAt }),
    cells: options.points ?? DEFAULT_CELLS,
    maxThreshold: options.max_threshold,
  };
}

/**
 * The whole intervals of the range; of an interval that was found, the newest ones.
 * @throws TorusError `invalid` where a given interval makes too many
 */
export function planIntervals(request: StoredRequest, intervalMs: number, nowAt: number): Range {
  const { fromAt, toAt } = completeRange(request.range, intervalMs, nowAt);
  const count = countIntervals({ fromAt, toAt }, intervalMs);
  if (count <= MAX_INTERVALS) return { fromAt, toAt };
  if (request.intervalMs === undefined) return { fromAt: toAt - MAX_INTERVALS * intervalMs, toAt };
  const way = "choose a shorter one, or a longer interval";
  throw invalid("from", `the range has ${count} intervals, at most ${MAX_INTERVALS} are allowed: ${way}`);
}
