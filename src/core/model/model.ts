// Schema of model settings, shared by all model kinds.
import { type Static, Type } from "@sinclair/typebox";
import { NotifyAfter } from "../anomaly/notify-after.ts";
import { KnownEvents } from "../calendar/known-events.ts";
import { Name } from "../input/name.ts";
import { nullable } from "../input/schema.ts";
import { oneOfWords } from "../input/words.ts";
import { durationSchema, intervalSchema } from "../time/duration-schema.ts";
import { Holidays } from "../time/holidays.ts";
import { BucketInterval } from "./bucket-interval.ts";
import { Feature } from "./feature.ts";
import { FalseAlarmsPer, GroupBy, MaxSeries, SeriesTtl } from "./fleet.ts";
import { MuteWindow } from "./mute.ts";
import { Offset } from "./offset.ts";
import { Retrain } from "./retrain.ts";
import { Silence } from "./silence.ts";
import { WatchForecast } from "./watch-forecast.ts";

const optional = Type.Optional;

const threshold = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description, rule: "must be a number from 0 to 100" });
const positiveInteger = (
  description: string,
  rest: Readonly<{ maximum?: number; [key: string]: unknown }> = {},
) => {
  const { maximum = 1_000_000 } = rest;
  const rule = `must be a whole number from 1 to ${maximum}`;
  return Type.Integer({ minimum: 1, maximum, description, rule, ...rest });
};

/** Names of the model kinds; the registry `src/models/index.ts` must have each, or does not compile. */
export const modelTypes = ["donut"] as const;

/** Most features of a model. */
export const MAX_FEATURES = 64;
/** Shapes of the network that a training tries where neither the request nor the settings say how many. */
export const usualTrials = { model: 10, fleet: 3 } as const;

/** Settings as the API stores and returns them. */
export const ModelSettings = Type.Object(
  {
    name: Name,
    type: oneOfWords(modelTypes, { description: "Model kind", rule: `must be ${modelTypes.join(" or ")}` }),
    features: Type.Array(Feature, {
      minItems: 1,
      maxItems: MAX_FEATURES,
      description: "Series that it watches, each by itself and all together",
      rule: "must be a list of 1 to 64 features {name, metric, field}",
    }),
    default_bucket: optional(
      nullable(Type.String({ maxLength: 256, description: "Bucket the model reads from" })),
    ),
    bucket_interval: BucketInterval,
    group_by: optional(GroupBy),
    max_series: optional(MaxSeries),
    series_ttl: optional(SeriesTtl),
    peers: optional(
      Type.Boolean({
        default: false,
        description:
          "Compare each series of `group_by` with the others of the same instant, too; where most of them move together, that is one anomaly of the fleet",
      }),
    ),
    interval: optional(
      intervalSchema({ description: "Period of live prediction (default: bucket_interval)" }),
    ),
    offset: optional(Offset),
    span: optional(
      Type.Union([positiveInteger("intervals"), Type.Literal("auto"), Type.Null()], {
        description:
          "Window length in intervals; `auto`: the longest of 120, 96, 48, 24, 12 and 8 that the training range holds four times, from min_span to max_span",
        default: "auto",
        rule: "must be a whole number of intervals, from 1 to 1000000, or auto",
      }),
    ),
    min_span: optional(positiveInteger("Shortest window an automatic span may have")),
    max_span: optional(positiveInteger("Longest window an automatic span may have")),
    max_evals: optional(
      positiveInteger(`Hyper-parameter trials of a training; of a fleet ${usualTrials.fleet} by default`, {
        default: usualTrials.model,
        maximum: 1000,
      }),
    ),
    forecast: optional(
      Type.Union([positiveInteger("Default horizon of a forecast, in intervals"), Type.Literal("auto")], {
        rule: "must be a whole number of intervals, from 1 to 1000000, or auto",
      }),
    ),
    forecaster: optional(
      Type.Union(
        [Type.Literal("auto"), Type.Literal("donut"), Type.Literal("seasonal"), Type.Literal("holt-winters")],
        {
          default: "auto",
          description:
            "Forecaster: `donut` the network, `seasonal` the values at this time of earlier days and weeks, `holt-winters`; `auto` the combination of them that forecasts the end of the training range best",
          rule: "must be one of auto, donut, seasonal, holt-winters",
        },
      ),
    ),
    max_threshold: optional(
      threshold(
        "An anomaly starts when the score exceeds it; 0 or absent = automatic, but not below min_threshold",
      ),
    ),
    min_threshold: optional(
      threshold(
        "An anomaly ends when the score falls below it; 0 or absent = automatic: with a max_threshold, its automatic share of that, half where score_scale is rarity",
      ),
    ),
    threshold: optional(nullable(threshold("Legacy: both thresholds"))),
    grace_period: optional(
      durationSchema({ description: "Time after an anomaly in which no other starts", default: 0 }),
    ),
    min_duration: optional(
      positiveInteger("Consecutive intervals above max_threshold that start an anomaly", {
        default: 1,
        maximum: 10_000,
        rule: "must be a whole number of intervals, from 1 to 10000",
      }),
    ),
    notify_after: optional(NotifyAfter),
    expected_false_alarms: optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1000,
        default: 1,
        description:
          "Anomalies per week of the model that automatic thresholds accept on normal data; of slow series fewer: at most this many in 168 points of a feature, with intervals of a day or longer in 500",
        rule: "must be a number above 0, at most 1000",
      }),
    ),
    expected_false_alarms_per: optional(FalseAlarmsPer),
    detector: optional(
      Type.Union([Type.Literal("ensemble"), Type.Literal("auto"), Type.Literal("vae")], {
        default: "ensemble",
        description:
          "`ensemble`: the network with its companions; `auto`: as `ensemble`, and detection starts without a training: with the companions from 30 points on, with the network as soon as its window fits four times; `vae`: the network alone, as in the paper",
        rule: "must be ensemble, auto or vae",
      }),
    ),
    score_scale: optional(
      Type.Union([Type.Literal("rarity"), Type.Literal("sigma")], {
        default: "rarity",
        description:
          "`rarity`: by how rarely normal points are this anomalous; `sigma`: 100 (2 Phi(|z|) - 1), as thresholds such as 99.7 are meant",
        rule: "must be rarity or sigma",
      }),
    ),
    retrain: optional(Retrain),
    silence: optional(nullable(Silence)),
    watch_forecast: optional(
      Type.Array(WatchForecast, {
        maxItems: 16,
        description: "Bounds whose breach by a forecast the hooks of `forecast` are notified of, while live",
      }),
    ),
    mute: optional(
      Type.Array(MuteWindow, {
        maxItems: 64,
        description: "Times without notifications; detection continues",
      }),
    ),
    seasonality: optional(
      Type.Object(
        {
          daytime: optional(Type.Boolean({ description: "The time of day is an input of the network" })),
          weekday: optional(
            Type.Boolean({
              description:
                "The day of the week is an input of the network, and each day has usual values of its own; false: days of the week are not distinguished",
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            "Calendar conditions of the network, in `timezone`: from the next training on, each if its range has two cycles; `state.conditions` shows them",
        },
      ),
    ),
    holidays: optional(Holidays),
    known_events: optional(KnownEvents),
    timezone: optional(
      Type.String({
        description: "IANA time zone of days and weeks, in detection and in forecasts",
        default: "UTC",
      }),
    ),
    routing: optional(nullable(Type.String({ description: "Legacy; kept" }))),
    default_datasource: optional(
      nullable(Type.String({ maxLength: 256, description: "Legacy name of default_bucket" })),
    ),
    default_datasink: optional(nullable(Type.String({ description: "Legacy; kept" }))),
    timestamp_field: optional(
      nullable(Type.String({ description: "Legacy; kept: a setting of the bucket" })),
    ),
    run: optional(Type.Unknown({ description: "Legacy; kept" })),
  },
  { additionalProperties: false, title: "settings", $id: "ModelSettings" },
);
export type ModelSettings = Static<typeof ModelSettings>;

/** Thresholds set by the client; one that is absent or 0 is automatic; undefined if both are. */
export function thresholdsOf(settings: ModelSettings): { min?: number; max?: number } | undefined {
  const both = settings.threshold ?? 0;
  const max = settings.max_threshold ?? both;
  const min = settings.min_threshold ?? (max > 0 ? Math.min(both, max) : both);
  if (max === 0 && min === 0) return undefined;
  return { ...(min > 0 && { min }), ...(max > 0 && { max }) };
}

/** Name of the bucket a model reads from, under the current or the legacy key. */
export function bucketOf(
  settings: Pick<ModelSettings, "default_bucket" | "default_datasource">,
): string | undefined {
  return settings.default_bucket || settings.default_datasource || undefined;
}
