// Schemas of predictions and forecasts: arrays of equal length by feature, null in place of NaN.
import { type TProperties, Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { SeriesTags } from "../core/model/fleet.ts";
import { Direction, evidence } from "./anomaly.ts";
import { LevelShiftStep } from "./level-shift.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const observed = Type.Record(Type.String(), Type.Array(NullableNumber), {
  description: "By feature; null if nothing was observed",
});
const series = {
  units: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: "Unit in force by feature; absent where none is known",
    }),
  ),
  timestamps: Type.Array(Type.Number(), { description: "Seconds since the epoch, ascending" }),
  observed,
  predicted: Type.Record(Type.String(), Type.Array(Type.Number()), {
    description:
      "Under `<feature>` the prediction, under `lower_<feature>` and `upper_<feature>` the edges of its band: of `_eval` without `p_val`, the values that raise nothing",
  }),
};

export const EvaluationStat = Type.Object(
  {
    score: Type.Number({ description: "0..100; 0 if there was nothing to score" }),
    anomaly: Type.Boolean(),
    anomalies: Type.Record(
      Type.String(),
      Type.Object({ type: Direction, score: Type.Number({ description: "0..100" }), ...evidence }),
      { description: "Contributing features of the anomaly; empty outside of one" },
    ),
    mse: NullableNumber,
    nll: Type.Union([Type.Number(), Type.Null()], {
      description: "Negative log density, unbounded: ranks points beyond score 100",
    }),
    range_score: Type.Number({ description: "0..100: score of the stretch that ends here" }),
    causal_score: optional.number("With `mode=batch`: the score of live detection"),
  },
  { $id: "EvaluationStat", description: "One interval of an evaluation" },
);
export type StatView = Shown<typeof EvaluationStat>;

const LiveEpisode = Type.Object({
  id: Type.String({ format: "uuid" }),
  start: seconds(),
  end: Type.Union([Type.Number(), Type.Null()], { description: "null while it lasts" }),
  peak_score: Type.Number({ description: "0..100" }),
  features: Type.Record(Type.String(), Direction, { description: "The contributing features at its start" }),
});
export type LiveEpisodeView = Shown<typeof LiveEpisode>;

export const Prediction = Type.Object(
  {
    ...series,
    stats: Type.Optional(
      Type.Array(EvaluationStat, { description: "One per timestamp, with `detect_anomalies`" }),
    ),
    level_shifts: Type.Optional(
      Type.Array(LevelShiftStep, {
        description: "Steps to another level in the range, with `detect_anomalies`; absent without any",
      }),
    ),
    live: Type.Optional(
      Type.Array(LiveEpisode, {
        description:
          "Anomalies that live detection recorded in the range, oldest first, with `detect_anomalies`; absent without any",
      }),
    ),
    live_scores: Type.Optional(
      Type.Array(Type.Object({ from: seconds(), to: seconds("Exclusive") }), {
        description:
          "Stretches in which scores, expected values and bands are those that live detection recorded, with `detect_anomalies`; absent without any",
      }),
    ),
    recorded: optional.integer("Number of recorded anomalies, with `record`"),
  },
  { $id: "Prediction", description: "A prediction of past data: the result of `_eval`" },
);
export type PredictionView = Shown<typeof Prediction>;

const FirstDate = Type.Union([Type.String(), Type.Null()]);

export const Forecast = Type.Object(
  {
    ...series,
    levels: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.Number())), {
        description: "By level in percent: `lower_<feature>` and `upper_<feature>`",
      }),
    ),
    constraint: Type.Optional(
      Type.Object({
        feature: Type.String(),
        type: Direction,
        threshold: Type.Number(),
        first_date: Type.Union([Type.String(), Type.Null()], {
          description: "When the prediction first breaks the constraint; null if it never does",
        }),
        first_date_range: Type.Object(
          { earliest: FirstDate, latest: FirstDate },
          {
            description:
              "When the edges of the band of `p_val` first break the constraint: the edge towards the threshold " +
              "`earliest`, the other one `latest`; null if they do not within the range",
          },
        ),
      }),
    ),
  },
  {
    $id: "Forecast",
    description: "The result of `_forecast`; `observed` has the actual values, where known",
  },
);
export type ForecastView = Shown<typeof Forecast>;

const SeriesProblem = Type.Object(
  { tags: SeriesTags, code: Type.String(), error: Type.String({ description: "Problem and remedy" }) },
  { $id: "SeriesProblem", description: "A series without enough data for the request" },
);

function pageOf(one: TProperties, $id: string) {
  return Type.Object(
    {
      series: Type.Array(Type.Union([Type.Object({ tags: SeriesTags, ...one }), SeriesProblem]), {
        description: "In the order of their tags",
      }),
      page: Type.Integer({ description: "From 0" }),
      per_page: Type.Integer(),
      total: Type.Integer({ description: "Series on all pages" }),
      timestamps: Type.Array(Type.Number(), { description: "Empty: each entry of `series` has its own" }),
      observed: Type.Object({}, { description: "Empty, as `timestamps`" }),
      predicted: Type.Object({}, { description: "Empty, as `timestamps`" }),
    },
    { $id, description: "A page of the series of a model with `group_by`" },
  );
}

export const FleetPrediction = pageOf(Prediction.properties, "FleetPrediction");
export const FleetForecast = pageOf(Forecast.properties, "FleetForecast");

const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: "Why columns without a value are empty, where the bucket can tell: no such field, or text",
  }),
);

export const ReadResult = Type.Object(
  { timestamps: series.timestamps, observed, warnings },
  { $id: "ReadResult", description: "Aggregates of a bucket" },
);

export const GroupedReadResult = Type.Object(
  {
    timestamps: series.timestamps,
    series: Type.Array(
      Type.Object({
        tags: Type.Record(Type.String(), Type.String(), {
          description: "By tag of `group_by`; empty if its points lack the tag",
        }),
        observed,
      }),
      { description: "Those with points in the range, sorted by their tags" },
    ),
    truncated: Type.Boolean({ description: "There are more series than `max_series`" }),
    warnings,
  },
  { $id: "GroupedReadResult", description: "Aggregates of a bucket by series" },
);
