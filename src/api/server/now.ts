// Schema of the overview of a server: anomalies in progress, missing data, failures, bounds ahead, open judgements.
import { type TSchema, Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import { SeriesTags } from "../../core/model/fleet.ts";
import { modelStates } from "../../core/model/model-state.ts";
import { Anomaly } from "../anomaly.ts";
import { WatchedForecast } from "../live.ts";
import { type Shown, seconds } from "../shown.ts";

const model = Type.String({ description: "Name of the model" });
const code = Type.String();

/** A list that is cut, with the number of all. */
export function cut<T extends TSchema>(items: T, description: string) {
  const total = Type.Integer({ description: "Number of all, shown or not" });
  return Type.Object({ total, list: Type.Array(items) }, { description });
}

export const Now = Type.Object(
  {
    at: seconds("The instant of the answer, seconds since the epoch"),
    states: Type.Record(Type.String(), Type.Integer(), {
      description: `Number of models in each state, of ${modelStates.join(", ")}; states without a model are left out`,
    }),
    anomalies: cut(Anomaly, "In progress: the most severe first, then the rarest"),
    unjudged: cut(Anomaly, "Of live detection, ended within 7 days and without feedback, newest first"),
    sources: Type.Array(
      Type.Object({ bucket: Type.String(), since: seconds(), code, message: Type.String() }),
      { description: "Buckets that live detection cannot read" },
    ),
    failing: cut(
      Type.Object({ model, code, message: Type.String(), since: seconds("When it failed last") }),
      "Models whose last evaluation failed",
    ),
    silent: cut(
      Type.Object({
        model,
        since: Type.Optional(seconds("End of the newest interval with points, seconds since the epoch")),
      }),
      "Models whose points have stopped",
    ),
    silent_series: Type.Array(Type.Object({ model, series: Type.Integer() }), {
      description: "Models with `group_by` some of whose series have no points, and how many; most first",
    }),
    bounds: cut(
      Type.Composite([
        Type.Object({
          model,
          series: Type.Optional(SeriesTags),
          unit: optional.text("Of the bound"),
        }),
        Type.Omit(WatchedForecast, ["first", "error"]),
        Type.Object({ first: seconds("When the forecast breaks the bound, seconds since the epoch") }),
      ]),
      "Bounds of `watch_forecast` that the last forecast breaks, the earliest first",
    ),
  },
  { $id: "Now", description: "What needs attention now" },
);
export type NowView = Shown<typeof Now>;
