// Schema of the explanation of a forecast: members with their shares, level, trend, breaks, and errors of the past.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { NullableNumber } from "./shown.ts";

const ByLead = Type.Object(
  { near: NullableNumber, season: NullableNumber, far: NullableNumber },
  { description: "By group of leads; null where no past forecast reached them" },
);

export const ForecastExplanation = Type.Object(
  {
    members: Type.Array(
      Type.Object({
        forecaster: Type.String(),
        name: optional.text(
          "As in `state.forecaster`, without season and scale; absent, as is `weight`, of versions of older releases",
        ),
        text: Type.String({ description: "In words" }),
        weight: optional.number("Mean of its shares; those of all members add up to 1"),
        share: ByLead,
      }),
    ),
    level: Type.Number({ description: "At the end of the points, without season" }),
    trend: Type.Number({ description: "Change per point that is expected to go on" }),
    shifts: Type.Array(Type.Object({ intervals_ago: Type.Integer(), change: Type.Number() }), {
      description: "Changes of level: what lies before them was moved to the present level",
    }),
    departures: Type.Array(Type.Object({ intervals_ago: Type.Integer(), intervals: Type.Integer() }), {
      description:
        "Outages, spikes and bursts: what lies away from the level and is over, or fades, is left out",
    }),
    rest: optional.number("Value that the series has for far longer than ever: the forecast stays at it"),
    special_days: Type.Boolean({ description: "Whether holidays or ends of months are taken into account" }),
    origins: Type.Integer({ description: "Forecasts of the past that were compared" }),
    error: ByLead,
  },
  { description: "How a forecast is made" },
);

export const ForecastsByFeature = Type.Record(Type.String(), ForecastExplanation, {
  description: "How each feature is forecast",
});
