// Schema of folded series: columns of minimum, mean and maximum per cell, for charts of models.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { SeverityLevel } from "./anomaly.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const column = (description: string) => Type.Array(NullableNumber, { description });

const SeriesEpisode = Type.Object({
  id: Type.String({ format: "uuid" }),
  start: seconds(),
  end: Type.Union([Type.Number(), Type.Null()], { description: "null while it lasts" }),
  peak_score: Type.Number({ description: "0..100" }),
  severity: SeverityLevel,
  anomaly: optional.flag("The verdict of the feedback"),
});

export const ModelSeries = Type.Object(
  {
    from: seconds("Start of the first cell, seconds since the epoch"),
    step: Type.Number({ description: "Length of a cell, seconds" }),
    bucket_interval: Type.Number({ description: "Length of an interval of the model, seconds" }),
    cells: Type.Integer({ description: "Length of every column" }),
    features: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          min: column("Least value of the cell's intervals; null if nothing was observed"),
          mean: column("Their mean"),
          max: column("Their greatest"),
        }),
        { description: "By feature, with five digits; a spike of one interval shows in `min` or `max`" },
      ),
    ),
    expected: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          mean: column("Mean of the expected values; null without a score"),
          lower: column("Least lower edge of the band"),
          upper: column("Greatest upper edge"),
        }),
        {
          description:
            "By feature: what live detection recorded, with `fill` or `version` what was evaluated",
        },
      ),
    ),
    score: Type.Optional(column("Greatest score of the cell, 0..100; null without one")),
    filled: Type.Optional(
      Type.Object(
        { from: seconds(), to: seconds("Exclusive") },
        {
          description:
            "With `fill` or `version`: range in which intervals without a recorded score were evaluated",
        },
      ),
    ),
    thresholds: Type.Object(
      { max: Type.Number(), min: Type.Number() },
      { description: "The effective ones" },
    ),
    episodes: Type.Optional(
      Type.Array(SeriesEpisode, {
        description: "Anomalies that overlap the range, oldest first; the last 1000",
      }),
    ),
    problem: Type.Optional(
      Type.Object(
        { code: Type.String(), error: Type.String() },
        { description: "Why `features` is missing, where several models were asked for" },
      ),
    ),
  },
  { $id: "ModelSeries", description: "The values of a model, folded for a chart" },
);
export type ModelSeriesView = Shown<typeof ModelSeries>;
