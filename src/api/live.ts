// Schema of live detection of a model: progress, last errors, the open anomaly.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { ConfidenceLevel, FeatureReport, SeverityLevel } from "./anomaly.ts";
import { LevelShiftStep } from "./level-shift.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const problem = { code: Type.String(), message: Type.String(), timestamp: seconds() };

/** The last forecast of an entry of `watch_forecast`. */
export const WatchedForecast = Type.Object({
  feature: Type.String(),
  type: Type.Union([Type.Literal("low"), Type.Literal("high")]),
  threshold: Type.Number({ description: "The bound" }),
  made: seconds("When it was made, seconds since the epoch"),
  first: Type.Optional(seconds("When the forecast breaks the bound; absent: not within its reach")),
  earliest: Type.Optional(seconds("The same by the edge of the 80 % band towards the bound")),
  latest: Type.Optional(seconds("The same by its other edge")),
  active: Type.Boolean({ description: "Whether hooks were notified of it" }),
  error: optional.text("Why the last forecast failed"),
  code: optional.text("Code of the error, as in answers"),
});

export const LiveState = Type.Object(
  {
    started: seconds(),
    last_window: Type.Union([Type.Number(), Type.Null()], {
      description: "End of the last window, seconds since the epoch",
    }),
    lag: Type.Union([Type.Number(), Type.Null()], { description: "Seconds behind now and `offset`" }),
    offset: Type.Number({ description: "Effective offset, seconds" }),
    newest_point: Type.Optional(
      seconds("End of the newest interval that holds points, seconds since the epoch"),
    ),
    late: Type.Optional(
      Type.Object(
        { offset: Type.Number({ description: "Sufficient offset, seconds" }), advice: Type.String() },
        { description: "While points arrive after the evaluation of their window, which is then empty" },
      ),
    ),
    score: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: "Of the last window, 0..100; null: nothing was observed",
      }),
    ),
    value: Type.Optional(
      Type.Record(Type.String(), NullableNumber, {
        description: "Observed in the last interval, by feature",
      }),
    ),
    missed: Type.Integer({ description: "Windows skipped because the server was late" }),
    failures: Type.Integer({ description: "Failed evaluations in a row" }),
    last_error: Type.Optional(Type.Object(problem, { description: "Of the last evaluation that failed" })),
    output_error: Type.Optional(
      Type.Object(
        { ...problem, dropped: Type.Integer({ description: "Windows that were not saved" }) },
        { description: "Current error of saving output" },
      ),
    ),
    anomaly: Type.Optional(
      Type.Object(
        {
          id: Type.String({ format: "uuid" }),
          start: seconds(),
          score: Type.Number({ description: "At its start, 0..100" }),
          peak_score: Type.Number(),
          severity: SeverityLevel,
          confidence: Type.Optional(ConfidenceLevel),
          features: Type.Record(Type.String(), FeatureReport, {
            description: "The contributing features at its start",
          }),
        },
        { description: "The anomaly in progress" },
      ),
    ),
    learning: Type.Optional(
      Type.Object(
        {
          points: Type.Integer({ description: "Points observed so far" }),
          needed: Type.Integer({ description: "Points from which the next training starts" }),
        },
        { description: "With `detector: auto`, until the confidence is good" },
      ),
    ),
    level_shift: Type.Optional(LevelShiftStep),
    drift: Type.Optional(
      Type.Object(
        {
          feature: Type.String({ description: "The feature with the strongest drift" }),
          since: seconds(),
          share: Type.Number({
            description: "Share of the last day's points rarer than one normal point in a hundred",
          }),
          advice: Type.Literal("retrain"),
        },
        { description: "While the series differs from the training data" },
      ),
    ),
    silence: Type.Optional(
      Type.Object(
        { since: seconds("End of the newest interval with points, seconds since the epoch") },
        { description: "While points are missing for longer than `silence_after`" },
      ),
    ),
    silence_after: optional.number(
      "Age of the newest point, beyond `offset`, from which there is no data, in seconds: that of `silence`, or derived; of a fleet each series has its own",
    ),
    forecasts: Type.Optional(
      Type.Array(WatchedForecast, { description: "The last forecast of each entry of `watch_forecast`" }),
    ),
    evaluations: Type.Optional(
      Type.Array(
        Type.Object({
          window: seconds("End of the window, seconds since the epoch"),
          timestamp: seconds(),
          duration: Type.Number({ description: "Seconds" }),
          outcome: Type.Union(
            [Type.Literal("ok"), Type.Literal("no_data"), Type.Literal("learning"), Type.Literal("failed")],
            { description: "`learning`: before the first version, which scores what follows" },
          ),
          score: NullableNumber,
          error: Type.Optional(Type.String()),
        }),
        { description: "The last ones, newest first; absent in the list of all models" },
      ),
    ),
  },
  { $id: "LiveState" },
);
export type LiveStateView = Shown<typeof LiveState>;
