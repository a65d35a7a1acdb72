// Schemas of anomalies: episodes from start to end, contributing features, feedback.
import { Type } from "@sinclair/typebox";
import { confidences } from "../core/anomaly/confidence.ts";
import { FeedbackInput } from "../core/anomaly/feedback.ts";
import { severities } from "../core/anomaly/severity.ts";
import { optional } from "../core/input/optional.ts";
import { oneOfWords } from "../core/input/words.ts";
import { SeriesTags } from "../core/model/fleet.ts";
import { AttributedChange } from "./changes/attribution.ts";
import { HookDelivery } from "./hook.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

export const Direction = Type.Union([Type.Literal("low"), Type.Literal("high")]);

export const SeverityLevel = oneOfWords(severities, {
  description: "The highest it reached, by rarity and size; it never falls",
});

export const ConfidenceLevel = oneOfWords(confidences, {
  description:
    "By the points that scores rank among: `learning` below 500 or a day, `good` from 2000 and two weeks on, `fair` between",
});
/** Grounds of a verdict, of kinds with several detectors. */
export const evidence = {
  contributions: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      description:
        "Share of each detector in the rarity, which add up to 1; `height` or `crowd` alone of a point among usual outliers",
    }),
  ),
  explanation: optional.text(
    "What is odd, in words, by the detector that contributes most: of equal shares the first in `contributions`",
  ),
  beside: Type.Optional(
    Type.Array(Type.String(), {
      description: "Of the detector `joint`: the features whose values it is unusual beside",
    }),
  ),
  nearest: Type.Optional(
    Type.Object(
      {
        at: Type.Number({ description: "Start of its last interval, seconds since the epoch" }),
        distance: Type.Number({
          description: "Root of the mean squared difference, in deviations of the series",
        }),
        points: Type.Integer({ description: "Its length, in intervals" }),
      },
      { description: "The most similar earlier stretch" },
    ),
  ),
  comparison_score: optional.number(
    "0..100, for comparing models: as the score, but what a short history calls rare counts less; equal after 10 000 points. Not on the scale of thresholds",
  ),
};

export const FeatureReport = Type.Object(
  {
    type: Direction,
    score: Type.Number({ description: "0..100" }),
    observed: NullableNumber,
    predicted: Type.Number(),
    lower: Type.Number(),
    upper: Type.Number(),
    factor: optional.number("Distance of `observed` from `predicted` in half-widths of the band"),
    rarity: optional.number(
      "One normal point in `10^rarity` is at least this anomalous; unbounded, unlike the score",
    ),
    reason: Type.Optional(
      Type.Union([Type.Literal("history"), Type.Literal("peers")], {
        description:
          "With `peers: true`: whether the score is that against its own past, or against its peers",
      }),
    ),
    peers: Type.Optional(
      Type.Object(
        {
          expected: Type.Number({ description: "Its value, had it moved as the median of its peers" }),
          distance: Type.Number({ description: "From its peers, in their spread; below 0: lower" }),
        },
        { description: "With `peers: true`: the series beside the others at the same instant" },
      ),
    ),
    top_tags: Type.Optional(
      Type.Array(
        Type.Object({
          tag: Type.String(),
          value: Type.String(),
          share: Type.Number({ description: "Of the whole deviation, 0..1" }),
          series: Type.Integer({ description: "Number of series with the value" }),
        }),
        { description: "Of an anomaly of the whole fleet: tags whose series deviate more than others" },
      ),
    ),
    ...evidence,
    metric: optional.text(
      "From the settings of the model at the time of the anomaly, as are field and measurement",
    ),
    field: Type.Optional(Type.String()),
    measurement: Type.Optional(Type.String()),
    unit: optional.text("Of its values, as `B/s`, `ms`, `ratio`"),
    bucket: optional.text("The bucket it was read from"),
    tags: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "`match_all` of the feature" }),
    ),
  },
  { $id: "FeatureReport", description: "One feature at one interval, in units of the data" },
);

export const Feedback = Type.Object(
  { ...FeedbackInput.properties, at: seconds() },
  { $id: "Feedback", description: "The latest feedback" },
);

export const Anomaly = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    model: Type.String(),
    series: Type.Optional(SeriesTags),
    scope: Type.Optional(Type.Literal("fleet", { description: "Of many series at once" })),
    share: optional.number("With `scope`: share of the series that are anomalous, 0..1"),
    start: seconds(),
    end: Type.Union([Type.Number(), Type.Null()], { description: "null while it lasts" }),
    peak_score: Type.Number({ description: "0..100" }),
    peak_rarity: optional.number("The greatest `rarity` at the peak: ranks anomalies whose peak scored 100"),
    severity: SeverityLevel,
    confidence: Type.Optional(ConfidenceLevel),
    features: Type.Record(Type.String(), FeatureReport, {
      description: "The contributing features at its start",
    }),
    peak: Type.Record(Type.String(), FeatureReport, { description: "The same at its peak" }),
    origin: Type.Union([Type.Literal("live"), Type.Literal("evaluation"), Type.Literal("backtest")], {
      description: "What detected it",
    }),
    closed_by: optional.text("Reason of an end without a low score"),
    feedback: Type.Optional(Feedback),
  },
  { $id: "Anomaly", description: "An episode of live detection, or of a recorded evaluation or backtest" },
);
export type AnomalyView = Shown<typeof Anomaly>;

export const AnomalyDetail = Type.Object(
  {
    ...Anomaly.properties,
    changes: Type.Array(AttributedChange, {
      description: "At most 3 that may be its cause, the likeliest first; empty where it is no surprise",
    }),
    deliveries: Type.Array(HookDelivery, {
      description: "Its notifications that are still kept, newest first",
    }),
  },
  { $id: "AnomalyDetail", description: "An anomaly with the changes before it, and its notifications" },
);
export type AnomalyDetailView = Shown<typeof AnomalyDetail>;

export const AnomalyLanes = Type.Object(
  {
    from: seconds("Start of the first cell, seconds since the epoch"),
    step: Type.Number({ description: "Length of a cell, seconds" }),
    cells: Type.Integer(),
    lanes: Type.Array(
      Type.Object({
        model: Type.String(),
        count: Type.Integer({ description: "Anomalies that overlap the range" }),
        peak_score: Type.Number({ description: "The greatest of them" }),
        peaks: Type.Array(NullableNumber, { description: "Greatest peak per cell; null without an anomaly" }),
      }),
      { description: "By model, those with an anomaly in the range" },
    ),
    truncated: Type.Optional(
      Type.Literal(true, { description: "Only the newest 10000 anomalies count: choose a shorter range" }),
    ),
  },
  { $id: "AnomalyLanes" },
);
export type AnomalyLanesView = Shown<typeof AnomalyLanes>;
