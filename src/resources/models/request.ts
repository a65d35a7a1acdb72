// Schemas of the request parameters of trainings, forecasts and evaluations; parsed by `params.ts`.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { pageNumber } from "../../core/input/listing.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";

const integer = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));

const range = { from: date("Start, inclusive"), to: date("End, exclusive; default now") };
/** Of the networks of a training. */
export const networkParameters = {
  max_evals: integer(1, 1000, "Hyper-parameter trials"),
  epochs: integer(1, 100_000, "Passes over the data"),
};
/** Of a training. */
export const trainParameters = {
  ...range,
  from: needed(range.from),
  input_bucket: optional.text("Bucket to read instead of the model's own"),
  ...networkParameters,
  seed: integer(0, 2 ** 32 - 1, "Seed of the random numbers; equal seeds give equal networks"),
  continue: optional.flag("Continue from the current version"),
  guard: optional.flag(
    "Keep the active version where the new one is clearly worse on the last days of the range",
  ),
};
/** Most series of one prediction. */
const MAX_SERIES_PAGE = 100;
export const predictParameters = {
  ...range,
  bg: optional.flag("Answer the id of the job"),
  input_bucket: optional.text("Bucket to read instead of the model's own"),
  output_bucket: optional.text("Bucket to save to"),
  save_output_data: optional.flag("Save the prediction"),
  series: optional.text(
    "Of a model with `group_by`: one series, as in `host:a,cpu:0`; default: a page of all",
  ),
  page: pageNumber("Of a model with `group_by`: page, from 0"),
  per_page: integer(1, MAX_SERIES_PAGE, "Series of a page; default 10"),
};

const share = { exclusiveMinimum: 0, exclusiveMaximum: 1, rule: "must be between 0 and 1, as in 0.95" };
/** Confidence of an interval. */
export const Confidence = Type.Number(share);
/** Further confidence of an interval, in percent. */
export const Percent = Type.Number({
  minimum: 1,
  exclusiveMaximum: 100,
  rule: "must be a percentage from 1 to below 100, as in 80;95",
});
/** Of a forecast. */
export const forecastParameters = {
  ...predictParameters,
  p_val: Type.Optional(Type.Number({ ...share, description: "Confidence level of the interval, 0..1" })),
  level: Type.Optional(
    Type.Union([Type.String(), Percent, Type.Array(Percent)], {
      description: "Further levels in percent, as in `80;95`; returned in `levels`",
    }),
  ),
  constraint: optional.text("`<feature>:low|high:<number>`"),
};
export const modes = ["causal", "batch"] as const;
/** Of an evaluation. */
export const evalParameters = {
  ...predictParameters,
  from: needed(range.from),
  flag_abnormal_data: optional.flag("Add `stats`"),
  detect_anomalies: optional.flag("Same as flag_abnormal_data"),
  record: optional.flag(
    "Record the anomalies with the model; recording a range again replaces them. Needs scope `run`",
  ),
  hooks: optional.flag("With record: also notify hooks of anomalies that were not recorded before"),
  live_scores: optional.flag(
    "Show what live detection recorded in place of evaluated scores, expected values and bands; default true",
  ),
  mode: Type.Optional(
    oneOfWords(modes, {
      description:
        "`causal` (as live; default), or `batch`: scores also use later points; adds `causal_score`",
    }),
  ),
};
