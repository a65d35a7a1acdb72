// Features of a model: a metric over a field, or a query; one number per interval.
import { type Static, Type } from "@sinclair/typebox";
import { MinDeviation, OnlyIf } from "../anomaly/start-guard.ts";
import { Budget } from "../budget/budget.ts";
import { invalid } from "../errors.ts";
import { isPrintable, MAX_UNIT } from "../formats/units/unit.ts";
import { PlainName } from "../input/name.ts";
import { nullable } from "../input/schema.ts";

const optional = Type.Optional;

const limit = (description: string) =>
  Type.Number({ description, rule: "must be a number, in units of the data" });

const TagMatch = Type.Object(
  {
    tag: Type.String({ minLength: 1, maxLength: 256, description: "Tag name" }),
    value: Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()], {
      description: "Value the tag must have",
    }),
  },
  { additionalProperties: false },
);

export const Feature = Type.Object(
  {
    name: PlainName,
    metric: optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "How the points of an interval become one number: avg, count, sum, max, 95percentile, ...; required without " +
          "`query`",
      }),
    ),
    field: optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "Field of the points; required without `query`",
      }),
    ),
    measurement: optional(
      nullable(Type.String({ maxLength: 256, description: "Measurement, where the bucket has several" })),
    ),
    query: optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 65_536,
          description:
            "In place of metric, field, measurement and match_all, for buckets with a query language (PromQL, InfluxQL, " +
            "SQL, Elasticsearch Query DSL): one value per interval. `{interval}`, `{from}` and `{to}` are filled in; the " +
            "kinds of buckets say what it looks like",
        }),
      ),
    ),
    budget: optional(Budget),
    default: optional(
      Type.Union([Type.Number(), Type.Null(), Type.Literal("previous")], {
        description: "What an empty interval becomes: a number, the previous value, or null for missing",
        default: null,
        rule: 'must be a number, null or "previous"',
      }),
    ),
    anomaly_type: optional(
      Type.Union([Type.Literal("low"), Type.Literal("high"), Type.Literal("low_high")], {
        description: "Which deviations count",
        default: "low_high",
        rule: "must be one of low, high, low_high",
      }),
    ),
    min: optional(
      limit("Least possible value, as 0 of a count: forecasts and their bands stay at it or above"),
    ),
    max: optional(
      limit("Greatest possible value, as 100 of a percentage: forecasts and their bands stay at it or below"),
    ),
    limit: optional(
      Type.Union([limit("Greatest value"), PlainName], {
        description:
          "What is full at: a number, or the name of the feature that has it, as the size of a disk beside what is used; " +
          "`GET /capacity` says when it is reached. Default: a bound of `watch_forecast`, `max` or `min`, or the whole of a share",
        rule: "must be a number in units of the data, or the name of another feature of the model",
      }),
    ),
    unit: optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_UNIT,
        pattern: isPrintable.source,
        description:
          "Unit of its values, after the metric, as in `GB`, `ms`, `%`, `ratio`, `{request}/s`: texts and the dashboard " +
          "show it. Default: what the source says, or the name of the field; `1` shows plain numbers",
        rule: `must be 1 to ${MAX_UNIT} printable characters, as in GB, ms, % or ratio`,
      }),
    ),
    min_deviation: optional(MinDeviation),
    only_if: optional(OnlyIf),
    match_all: optional(
      nullable(Type.Array(TagMatch, { maxItems: 64, description: "Tags the points must carry" })),
    ),
    io: optional(nullable(Type.String({ description: "Legacy: `i`, `o` or `io`; kept" }))),
    script: optional(nullable(Type.String({ description: "Legacy; kept" }))),
    transform: optional(nullable(Type.String({ description: "Legacy; kept" }))),
    scores: optional(nullable(Type.String({ description: "Legacy; kept" }))),
    bucket: optional(
      nullable(Type.String({ maxLength: 256, description: "Another bucket to read this feature from" })),
    ),
  },
  { additionalProperties: false, $id: "Feature" },
);
export type Feature = Static<typeof Feature>;

/** @param path of the minimum. @throws TorusError `invalid` where no value is possible */
export function checkLimits({ min, max }: Pick<Feature, "min" | "max">, path: string): void {
  if (min !== undefined && max !== undefined && min >= max)
    throw invalid(path, `must be below max (${max}); give one of them for one limit`);
}

/** @throws TorusError `invalid` where a limit names no other feature */
export function checkLimitFeatures(features: readonly Feature[]): void {
  for (const [index, { name, limit }] of features.entries()) {
    if (typeof limit !== "string") continue;
    const others = features.map((other) => other.name).filter((other) => other !== name);
    if (!others.includes(limit))
      throw invalid(
        `features.${index}.limit`,
        `must be a number, or another feature of the model${others.length > 0 ? `: ${others.join(", ")}` : ""}`,
      );
  }
}

/** Which deviations of a feature count: of a burn rate, the high ones. */
export function directionsOf(
  feature: Pick<Feature, "anomaly_type" | "budget"> | undefined,
): NonNullable<Feature["anomaly_type"]> {
  return feature?.anomaly_type ?? (feature?.budget ? "high" : "low_high");
}

/** A feature without a query. */
type PlainFeature = Feature & Required<Pick<Feature, "metric" | "field">>;

/** Whether a feature has metric and field instead of a query. */
export function isPlain(feature: Feature): feature is PlainFeature {
  return !feature.query && feature.metric !== undefined && feature.field !== undefined;
}
