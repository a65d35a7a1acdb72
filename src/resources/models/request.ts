// Schemas of the request parameters of trainings, forecasts and evaluations; parsed by `params.ts`.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { MAX_SERIES_PAGE } from "./params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const range = { from: date("Start, inclusive"), to: date("End, exclusive; default now") };
/** Of a training. */
export const trainParameters = {
  ...range,
  input_bucket: text("Bucket to read instead of the model's own"),
  max_evals: integer("Hyper-parameter trials"),
  epochs: integer("Passes over the data"),
  seed: Type.Optional(
    Type.Integer({ minimum: 0, description: "Seed of the random numbers; equal seeds give equal networks" }),
  ),
  continue: flag("Continue from the current version"),
  guard: flag("Keep the active version where the new one is clearly worse on the last days of the range"),
};
const predictParameters = {
  ...range,
  bg: flag("Answer the id of the job"),
  input_bucket: text("Bucket to read instead of the model's own"),
  output_bucket: text("Bucket to save to"),
  save_output_data: flag("Save the prediction"),
  series: text("Of a model with `group_by`: one series, as in `host:a,cpu:0`; default: a page of all"),
  page: Type.Optional(Type.Integer({ minimum: 0, description: "Of a model with `group_by`: page, from 0" })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_SERIES_PAGE, description: "Series of a page; default 10" }),
  ),
};
/** Of a forecast. */
export const forecastParameters = {
  ...predictParameters,
  p_val: Type.Optional(Type.Number({ description: "Confidence level of the interval, 0..1" })),
  level: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Array(Type.Number())], {
      description: "Further levels in percent, as in `80;95`; returned in `levels`",
    }),
  ),
  constraint: text("`<feature>:low|high:<number>`"),
};
/** Of an evaluation. */
export const evalParameters = {
  ...predictParameters,
  flag_abnormal_data: flag("Add `stats`"),
  detect_anomalies: flag("Same as flag_abnormal_data"),
  record: flag(
    "Record the anomalies with the model; recording a range again replaces them. Needs scope `run`",
  ),
  hooks: flag("With record: also notify hooks of anomalies that were not recorded before"),
  live_scores: flag(
    "Show what live detection recorded in place of evaluated scores, expected values and bands; default true",
  ),
  mode: text("`causal` (as live; default), or `batch`: scores also use later points; adds `causal_score`"),
};
