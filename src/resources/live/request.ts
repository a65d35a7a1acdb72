// Schemas of the request parameters of starts and of lists of anomalies.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { episodeStates } from "../anomalies.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Of a start. */
export const startParameters = {
  detect_anomalies: flag("Detect anomalies and notify hooks"),
  flag_abnormal_data: flag("Same as detect_anomalies"),
  save_output_data: flag("Save predicted and observed values"),
  output_bucket: text("Bucket to save to; default: the one the model reads from"),
};
/** Filters of lists of anomalies. */
export const anomalyFilters = {
  from: date("Start, inclusive"),
  to: date("End, exclusive"),
  state: Type.Optional(
    Type.Union(
      episodeStates.map((state) => Type.Literal(state)),
      { description: "Open anomalies, or those that have ended" },
    ),
  ),
  origin: Type.Optional(Type.String({ description: "Source: live, evaluation or backtest" })),
  min_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: "Only anomalies whose peak reached this score" }),
  ),
  judged: flag("Only anomalies with feedback, or without"),
  series: text("Only anomalies of series with these tags, as in `host:a,cpu:0`; not all tags are needed"),
  scope: Type.Optional(
    Type.Literal("fleet", { description: "Only anomalies of many series of a fleet at once" }),
  ),
};
/** Filter of the list of all models' anomalies. */
export const modelFilter = { model: text("Only anomalies of these models, separated by `;`") };
