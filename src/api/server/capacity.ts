// Schema of capacity: when features of live models and their series reach a limit.
import { Type } from "@sinclair/typebox";
import { limitSources } from "../../core/capacity/limit.ts";
import { optional } from "../../core/input/optional.ts";
import { SeriesTags } from "../../core/model/fleet.ts";
import { durationSchema } from "../../core/time/duration-schema.ts";
import { type Shown, seconds } from "../shown.ts";

/** Filters of the list. */
export const capacityFilters = {
  within: Type.Optional(
    durationSchema({ description: "Only what is full within this time from now", examples: ["30d"] }),
  ),
  tags: optional.text("Only series with these tags, as in `host:a,cpu:0`"),
  model: optional.text("Only of these models, separated by `;`"),
};

const sourceTexts = limitSources.map((source) => Type.Literal(source));

export const Capacity = Type.Object(
  {
    model: Type.String({ description: "Name of the model" }),
    series: Type.Optional(SeriesTags),
    feature: Type.String(),
    unit: optional.text("Of the values"),
    limit: Type.Object({
      value: Type.Number(),
      type: Type.Union([Type.Literal("low"), Type.Literal("high")], {
        description: "`high`: values rise to it; `low`: they fall to it",
      }),
      source: Type.Union(sourceTexts, {
        description:
          "`limit` of the feature, a bound of `watch_forecast`, `max` or `min` of the feature, or the whole of its unit",
      }),
    }),
    now: Type.Number({ description: "The newest value" }),
    per_day: Type.Number({ description: "Change of the peaks per day" }),
    predictable: Type.Boolean({
      description: "Whether dates were right at enough earlier times; false: there is no date",
    }),
    date: Type.Optional(seconds("When the limit is reached, seconds since the epoch")),
    earliest: Type.Optional(seconds("The same by the near edge of the 90 % band")),
    latest: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: "The same by its far edge; null: later than the history is long",
      }),
    ),
    backtest: Type.Object(
      {
        right: Type.Integer({ description: "Of them within 20 % of the lead" }),
        of: Type.Integer({ description: "Dates that the same rule named at earlier times" }),
      },
      { description: "Earlier times, each with a level that was reached later" },
    ),
    reasons: Type.Array(Type.String(), { description: "The same in words" }),
    made: seconds("End of the history, seconds since the epoch"),
  },
  { $id: "Capacity", description: "A limit that a series moves towards" },
);
export type CapacityView = Shown<typeof Capacity>;
