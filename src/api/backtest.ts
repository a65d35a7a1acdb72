// Schema of the result of a backtest: episodes, labels, quality, and a sweep of thresholds.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { FeatureReport, SeverityLevel } from "./anomaly.ts";
import { summary } from "./model.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const range = { from: seconds(), to: seconds("Seconds since the epoch, exclusive") };
const quality = {
  precision: optional.number("Share of judged episodes that overlap a label"),
  recall: optional.number("Share of labels that an episode overlaps"),
  f1: optional.number("Harmonic mean of both"),
};
const choice = { max_threshold: Type.Number(), min_threshold: Type.Number() };

const Episode = Type.Object({
  start: seconds(),
  end: Type.Union([Type.Number(), Type.Null()], { description: "null if the range ends first" }),
  peak_score: Type.Number({ description: "0..100" }),
  severity: SeverityLevel,
  features: Type.Record(Type.String(), FeatureReport, {
    description: "The contributing features at its start",
  }),
  label: optional.flag("Whether it overlaps a label; absent if unknown"),
});

const LabelReport = Type.Object({
  source: Type.Union([Type.Literal("given"), Type.Literal("feedback")], {
    description:
      "`given`: in the request; `feedback`: otherwise, feedback on the anomalies of the evaluated part, and labels of the model",
  }),
  count: Type.Integer(),
  found: Type.Integer(),
  missed: Type.Array(Type.Object(range)),
  ...quality,
  delay_seconds_median: optional.number("From the start of a label to that of its first episode"),
  false_alarms: Type.Optional(
    Type.Object(
      { count: Type.Integer(), raised: Type.Integer() },
      { description: "With `feedback`: known false alarms, and how many were raised again" },
    ),
  ),
  unjudged: optional.integer("Episodes without a judgement, which precision excludes"),
});

export const Backtest = Type.Object(
  {
    trained: Type.Object({
      ...range,
      ...summary,
      feedback: Type.Optional(
        Type.Object(
          { excluded: Type.Integer(), tolerated: Type.Integer() },
          {
            description:
              "Anomalies of live detection that were excluded, and false alarms that were tolerated, as in a training",
          },
        ),
      ),
    }),
    evaluated: Type.Object({ ...range, points: Type.Integer(), scored: Type.Integer() }),
    thresholds: Type.Object(
      { max: Type.Number(), min: Type.Number() },
      { description: "The effective ones" },
    ),
    episodes: Type.Array(Episode),
    episodes_omitted: optional.integer("Further ones: `episodes` holds the strongest"),
    alerts_per_week: Type.Array(
      Type.Object({ ...choice, episodes: Type.Integer(), per_week: Type.Number(), ...quality }),
      { description: "Anomalies that other thresholds would have found in the same scores" },
    ),
    labels: Type.Optional(LabelReport),
    best: Type.Optional(
      Type.Object({ ...choice, f1: Type.Number() }, { description: "The row with the best F1" }),
    ),
    suggestion: Type.Optional(
      Type.Object(
        { ...choice, false_alarms_per_week: Type.Number(), expected_false_alarms: Type.Number() },
        {
          description:
            "The lowest threshold that keeps false alarms as rare as expected; absent if none does",
        },
      ),
    ),
    recorded: optional.integer("Number of recorded anomalies, with `record`"),
    scores: Type.Optional(
      Type.Object({ timestamps: Type.Array(Type.Number()), score: Type.Array(NullableNumber) }),
    ),
  },
  { $id: "Backtest" },
);
export type BacktestView = Shown<typeof Backtest>;
