// Anomalies of live detection: episodes from start to end, the features that took part, what people said of them.
import { Type } from "@sinclair/typebox";
import { FeedbackInput } from "../core/feedback.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

export const Direction = Type.Union([Type.Literal("low"), Type.Literal("high")]);

export const FeatureReport = Type.Object(
  {
    type: Direction,
    score: Type.Number({ description: "0..100" }),
    observed: NullableNumber,
    predicted: Type.Number(),
    lower: Type.Number(),
    upper: Type.Number(),
  },
  { $id: "FeatureReport", description: "One feature at one interval, in units of the data" },
);

export const Feedback = Type.Object(
  { ...FeedbackInput.properties, at: seconds() },
  { $id: "Feedback", description: "What people said of it last" },
);

export const Anomaly = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    model: Type.String(),
    start: seconds(),
    end: Type.Union([Type.Number(), Type.Null()], { description: "null while it lasts" }),
    peak_score: Type.Number({ description: "0..100" }),
    features: Type.Record(Type.String(), FeatureReport, {
      description: "The features that took part, at its start",
    }),
    peak: Type.Record(Type.String(), FeatureReport, { description: "The same at its peak" }),
    closed_by: Type.Optional(Type.String({ description: "Why it ended without a low score" })),
    feedback: Type.Optional(Feedback),
  },
  { $id: "Anomaly", description: "An episode of live detection" },
);
export type AnomalyView = Shown<typeof Anomaly>;
