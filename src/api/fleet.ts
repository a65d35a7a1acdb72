// Schemas of the series of fleets: entries of their list, and one with what live detection has found.
import { Type } from "@sinclair/typebox";
import { oneOfWords } from "../core/input/words.ts";
import { SeriesTags } from "../core/model/fleet.ts";
import { shownStates } from "../core/series/series-status.ts";
import { FalseAlarms } from "./false-alarms.ts";
import { LiveState } from "./live.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const instant = (description: string) => Type.Union([seconds(), Type.Null()], { description });

export const FleetSeries = Type.Object(
  {
    tags: SeriesTags,
    state: oneOfWords(shownStates, {
      description:
        "`new`: not fitted yet; `watched`; `anomalous`; `silent`: its points have stopped, also in an anomaly; `stopped`: the model is not live",
    }),
    score: Type.Union([Type.Number(), Type.Null()], {
      description: "Of the last window, 0..100; null: nothing was scored",
    }),
    first_seen: instant("When live detection saw it first, seconds since the epoch; null: not live"),
    newest_point: instant(
      "End of the newest interval that holds points, seconds since the epoch; null: none seen",
    ),
    last_window: instant("End of the last window, seconds since the epoch; null: not live"),
    fitted: Type.Union([Type.Integer(), Type.Null()], {
      description: "Points that the active version was fitted to; null: not fitted yet",
    }),
    anomaly: Type.Optional(Type.String({ format: "uuid", description: "Id of the anomaly in progress" })),
  },
  { $id: "FleetSeries", description: "A series of a model with `group_by`" },
);
export type FleetSeriesView = Shown<typeof FleetSeries>;

const { anomaly, level_shift, drift, silence, silence_after, learning, forecasts } = LiveState.properties;

export const FleetSeriesDetail = Type.Object(
  {
    ...FleetSeries.properties,
    live: Type.Optional(
      Type.Object(
        {
          lag: NullableNumber,
          learning,
          anomaly,
          level_shift,
          drift,
          silence,
          silence_after,
          forecasts,
        },
        { description: "As `live` of a model; absent while the model is not live" },
      ),
    ),
    false_alarms: Type.Optional(FalseAlarms),
  },
  { $id: "FleetSeriesDetail", description: "A series of a model with `group_by`, with its live state" },
);
export type FleetSeriesDetailView = Shown<typeof FleetSeriesDetail>;
