// Results of backtests: what detection would have found, and what other thresholds would have.
import { Type } from "@sinclair/typebox";
import { FeatureReport } from "./anomaly.ts";
import { summary } from "./model.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const number = (description: string) => Type.Optional(Type.Number({ description }));
const range = { from: seconds(), to: seconds("Seconds since the epoch, exclusive") };
const quality = {
  precision: number("Episodes that overlap a label, among all that are judged"),
  recall: number("Labels that an episode overlaps, among all"),
  f1: number("Harmonic mean of both"),
};
const choice = { max_threshold: Type.Number(), min_threshold: Type.Number() };

const Episode = Type.Object({
  start: seconds(),
  end: Type.Union([Type.Number(), Type.Null()], { description: "null where the range ends first" }),
  peak_score: Type.Number({ description: "0..100" }),
  features: Type.Record(Type.String(), FeatureReport, { description: "Those that took part, at its start" }),
  label: Type.Optional(
    Type.Boolean({ description: "Whether it overlaps a label; absent where nothing is known" }),
  ),
});

const LabelReport = Type.Object({
  source: Type.Union([Type.Literal("given"), Type.Literal("feedback")], {
    description:
      "`given`: with the request; `feedback`: without any, what people said of the anomalies of the evaluated part",
  }),
  count: Type.Integer(),
  found: Type.Integer(),
  missed: Type.Array(Type.Object(range)),
  ...quality,
  delay_seconds_median: number("From the start of a label to that of its first episode"),
  false_alarms: Type.Optional(
    Type.Object(
      { count: Type.Integer(), raised: Type.Integer() },
      { description: "With `feedback`: those people spoke of, and how many were raised again" },
    ),
  ),
  unjudged: Type.Optional(Type.Integer({ description: "Episodes that precision leaves out" })),
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
              "Anomalies of live detection that were left out, and false alarms, as a training does",
          },
        ),
      ),
    }),
    evaluated: Type.Object({ ...range, points: Type.Integer(), scored: Type.Integer() }),
    thresholds: Type.Object({ max: Type.Number(), min: Type.Number() }, { description: "Those in force" }),
    episodes: Type.Array(Episode),
    episodes_omitted: Type.Optional(
      Type.Integer({ description: "Further ones: `episodes` holds the strongest" }),
    ),
    alerts_per_week: Type.Array(
      Type.Object({ ...choice, episodes: Type.Integer(), per_week: Type.Number(), ...quality }),
      { description: "What other thresholds would have found in the same scores" },
    ),
    labels: Type.Optional(LabelReport),
    best: Type.Optional(
      Type.Object({ ...choice, f1: Type.Number() }, { description: "The row with the best F1" }),
    ),
    suggestion: Type.Optional(
      Type.Object(
        { ...choice, false_alarms_per_week: Type.Number(), expected_false_alarms: Type.Number() },
        {
          description: "The lowest threshold that keeps false alarms as rare as expected, where one does",
        },
      ),
    ),
    recorded: Type.Optional(Type.Integer({ description: "Anomalies that were kept, with `record`" })),
    scores: Type.Optional(
      Type.Object({ timestamps: Type.Array(Type.Number()), score: Type.Array(NullableNumber) }),
    ),
  },
  { $id: "Backtest" },
);
export type BacktestView = Shown<typeof Backtest>;
