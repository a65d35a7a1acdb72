// Schemas of the request parameters of backtests; parsed by `plan.ts`.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { dateSchema } from "../../core/time/date-schema.ts";
import { networkParameters } from "../models/request.ts";

const threshold = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }));

const Label = Type.Object(
  {
    from: dateSchema({ description: "Start, inclusive" }),
    to: dateSchema({ description: "End, exclusive" }),
  },
  { additionalProperties: false },
);
/** Of a backtest. */
export const backtestParameters = {
  from: needed(date("Start, inclusive")),
  to: date("End, exclusive; default now"),
  train_to: date("End of the training part; the rest is evaluated"),
  train_share: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      rule: "must be between 0 and 1, as in 0.5",
      description: "Training part as a share of the range; default 0.5",
    }),
  ),
  bg: optional.flag("false: wait for the result; default: answer the id of the job"),
  series: optional.text("Series to test, as in `host:a,cpu:0`; required for a model with `group_by`"),
  input_bucket: optional.text("Bucket to read instead of the model's own"),
  ...networkParameters,
  max_threshold: threshold("Overrides that of the model; 0 = automatic"),
  min_threshold: threshold(
    "Overrides that of the model; default: the same share of max_threshold as in the model",
  ),
  label_field: optional.text("Field with a number other than 0 where the data is anomalous"),
  label_bucket: optional.text("Bucket of label_field; default: the bucket that is read"),
  label_measurement: optional.text("Measurement of label_field, where the bucket has several"),
  expected_false_alarms: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      rule: "must be above 0, at most 1000, as in 0.5 per week",
      description: "False alarms per week that the suggested threshold aims at; default 1",
    }),
  ),
  include_scores: optional.flag("Add `scores`: the score of every interval"),
  record: optional.flag("Record the anomalies with the model; recording a range again replaces them"),
  hooks: optional.flag("With record: also notify hooks of anomalies that were not recorded before"),
  labels: Type.Optional(Type.Array(Label, { description: "Known anomalies within the evaluated part" })),
};
