// Schemas of stateless detection and forecast: the request holds the series, nothing is stored.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { ForecastExplanation } from "./forecast-explanation.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const about = {
  period: Type.Integer({ description: "Intervals after which the series repeats itself; 0 = it does not" }),
  missing: Type.Integer({ description: "Intervals without a point between the first and the last" }),
};
const margin = "Distance of the edge from the expected value";
const severity =
  "0 for normal points; else the share of the distance beyond the margin, or of a run beyond the usual length";
const score = "0..100: how rarely a normal point of the series lies so far off, or a run is so long";
const numbers = (description?: string) => Type.Array(Type.Number(), { ...(description && { description }) });
const flags = Type.Array(Type.Boolean());
const band = { lower: numbers(), upper: numbers() };
const integer = (description: string) => Type.Integer({ description });

const LongRun = Type.Object(
  {
    first: integer("Index of its first point"),
    last: integer("Index of its last point"),
    at: Type.Union([Type.Literal("value"), Type.Literal("level")], {
      description: "`value`: all its points are equal; `level`: all are at one of two levels, as of pulses",
    }),
    usual: integer(
      "Points of the longest other run alike: those that follow are anomalies, also within the band",
    ),
  },
  { description: "Stretch at one value or level, at least three times as long as any other" },
);

export const EntireDetection = Type.Object(
  {
    ...about,
    expectedValues: numbers("One entry per point, as in all lists"),
    upperMargins: numbers(margin),
    lowerMargins: numbers(margin),
    isAnomaly: flags,
    isPositiveAnomaly: flags,
    isNegativeAnomaly: flags,
    severity: numbers(severity),
    scores: numbers(score),
    runs: Type.Array(LongRun, { description: "What is stuck, or has stopped, in order of time" }),
  },
  { $id: "EntireDetection", description: "Every point, with `mode` entire" },
);
export type EntireView = Shown<typeof EntireDetection>;

export const LastDetection = Type.Object(
  {
    ...about,
    suggestedWindow: Type.Integer({ description: "Number of points that suffice to judge the last one" }),
    expectedValue: Type.Number(),
    upperMargin: Type.Number({ description: margin }),
    lowerMargin: Type.Number({ description: margin }),
    isAnomaly: Type.Boolean(),
    isPositiveAnomaly: Type.Boolean(),
    isNegativeAnomaly: Type.Boolean(),
    severity: Type.Number({ description: severity }),
    score: Type.Number({ description: score }),
    run: Type.Optional(LongRun),
  },
  { $id: "LastDetection", description: "The last point, with `mode` last" },
);
export type LastView = Shown<typeof LastDetection>;

export const Detection = Type.Union([EntireDetection, LastDetection], {
  $id: "Detection",
  description: "The result of `_detect`",
});
export type DetectionView = EntireView | LastView;

export const SeriesForecast = Type.Object(
  {
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
    explanation: Type.Optional(ForecastExplanation),
  },
  { $id: "SeriesForecast", description: "The result of `_predict`" },
);
export type SeriesForecastView = Shown<typeof SeriesForecast>;

const cells = (description: string) => Type.Array(NullableNumber, { description });

const StoredAnomaly = Type.Object({
  start: seconds(),
  end: seconds("End of its last interval"),
  peak: seconds("Start of the interval with the highest score"),
  peak_score: Type.Number({ description: score }),
  type: Type.Union([Type.Literal("low"), Type.Literal("high")]),
  observed: Type.Number({ description: "At the peak" }),
  expected: Type.Number({ description: "At the peak" }),
  reason: optional.text(
    "What is odd in words, where it is the length of a run: the values lie within the band",
  ),
});

export const StoredDetection = Type.Object(
  {
    bucket_interval: Type.Number({
      description: "Length of an interval, seconds; with `auto` the found one",
    }),
    from: seconds("Start of the first cell, seconds since the epoch"),
    step: Type.Number({ description: "Length of a cell, seconds" }),
    cells: Type.Integer({ description: "Length of every column" }),
    found: Type.Integer({ description: "Intervals with a value" }),
    points: optional.integer("Points in the range; absent for a `query`"),
    oldest: seconds("Start of the first interval with a value"),
    newest: seconds("Start of the last interval with a value"),
    period: about.period,
    unit: optional.text("Of the values, as `B/s`, where it is known"),
    min: cells("Least value of the cell's intervals; null if nothing was observed"),
    mean: cells("Their mean"),
    max: cells("Their greatest"),
    expected: Type.Optional(cells("Mean of the expected values; absent with fewer than 12 values")),
    lower: Type.Optional(cells("Mean of the lower edges")),
    upper: Type.Optional(cells("Mean of the upper edges")),
    score: Type.Optional(cells("Highest score")),
    anomalies: Type.Array(StoredAnomaly, { description: "The 100 with the highest scores, highest first" }),
  },
  { $id: "StoredDetection", description: "A first look at the values of a bucket, folded for a chart" },
);
export type StoredDetectionView = Shown<typeof StoredDetection>;
export type StoredAnomalyView = Shown<typeof StoredAnomaly>;
