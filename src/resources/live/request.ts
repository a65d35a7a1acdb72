// Schemas of the request parameters of starts and of lists of anomalies.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { episodeOrigins } from "../../store/anomalies/episodes.ts";

export const episodeStates = ["open", "closed"] as const;
/** Most anomalies of a list. */
export const MAX_ANOMALIES = 10_000;
/** Cells of a lane without `cells`. */
export const DEFAULT_CELLS = 120;

function oneOf<T extends string>(values: readonly T[], description: string) {
  return Type.Optional(oneOfWords(values, { description }));
}

/** Of a start. */
export const startParameters = {
  detect_anomalies: optional.flag("Detect anomalies and notify hooks"),
  flag_abnormal_data: optional.flag("Same as detect_anomalies"),
  save_output_data: optional.flag("Save predicted and observed values"),
  output_bucket: optional.text("Bucket to save to; default: the one the model reads from"),
};
/** Filters of lists of anomalies. */
export const anomalyFilters = {
  from: date("Start, inclusive"),
  to: date("End, exclusive"),
  state: oneOf(episodeStates, "Open anomalies, or those that have ended"),
  origin: oneOf(episodeOrigins, "Source: live, evaluation or backtest"),
  min_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: "Only anomalies whose peak reached this score" }),
  ),
  judged: optional.flag("Only anomalies with feedback, or without"),
  series: optional.text(
    "Only anomalies of series with these tags, as in `host:a,cpu:0`; not all tags are needed",
  ),
  scope: Type.Optional(
    Type.Literal("fleet", { description: "Only anomalies of many series of a fleet at once" }),
  ),
};
/** Length of a list of anomalies. */
export const lengthParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ANOMALIES,
      description: "Maximum number of entries, in place of pages",
    }),
  ),
};
/** Cells of lanes. */
export const laneParameters = {
  cells: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_CELLS, description: "Most cells of a lane" }),
  ),
};
/** Filter of the list of all models' anomalies. */
export const modelFilter = { model: optional.text("Only anomalies of these models, separated by `;`") };
