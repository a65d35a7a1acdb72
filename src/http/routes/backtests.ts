// Route of backtests: trains on part of the past and detects in the rest.
import { Type } from "@sinclair/typebox";
import { Backtest } from "../../api/backtest.ts";
import { JobId } from "../../api/job.ts";
import { date } from "../../api/shown.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { mergeParams, parameters, pathNames } from "../framework/params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const number = (description: string) => Type.Optional(Type.Number({ description }));
const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const Label = Type.Object(
  {
    from: Type.Union([Type.String(), Type.Number()], { description: "Start, inclusive" }),
    to: Type.Union([Type.String(), Type.Number()], { description: "End, exclusive" }),
  },
  { additionalProperties: false },
);
const backtestParameters = {
  from: date("Start, inclusive"),
  to: date("End, exclusive; default now"),
  train_to: date("End of the training part; the rest is evaluated"),
  train_share: number("Training part as a share of the range; default 0.5"),
  bg: Type.Optional(
    Type.Boolean({ description: "false: wait for the result; default: answer the id of the job" }),
  ),
  series: text("Series to test, as in `host:a,cpu:0`; required for a model with `group_by`"),
  input_bucket: text("Bucket to read instead of the model's own"),
  max_evals: integer("Hyper-parameter trials"),
  epochs: integer("Passes over the data"),
  max_threshold: number("Overrides that of the model; 0 = automatic"),
  min_threshold: number(
    "Overrides that of the model; default: the same share of max_threshold as in the model",
  ),
  label_field: text("Field with a number other than 0 where the data is anomalous"),
  label_bucket: text("Bucket of label_field; default: the bucket that is read"),
  label_measurement: text("Measurement of label_field, where the bucket has several"),
  expected_false_alarms: number("False alarms per week that the suggested threshold aims at; default 1"),
  include_scores: flag("Add `scores`: the score of every interval"),
  record: flag("Record the anomalies with the model; recording a range again replaces them"),
  hooks: flag("With record: also notify hooks of anomalies that were not recorded before"),
  labels: Type.Optional(Type.Array(Label, { description: "Known anomalies within the evaluated part" })),
};

/** Routes of backtests. */
export function createBacktestRoutes(deps: Pick<AppDeps, "backtests" | "jobs" | "limits" | "holdOpen">) {
  const { backtests } = deps;
  return createInstance().post(
    "/models/:names/_backtest",
    ({ params: { names }, query, body, request }) => {
      const params = mergeParams(query, body);
      return answerJob(deps, {
        params,
        request,
        submit: (options) => backtests.submit(readName(names), params, options),
        inBackground: true,
      });
    },
    {
      params: pathNames("Model name"),
      ...parameters("BacktestParameters", backtestParameters),
      response: documented(Type.Union([Backtest, JobId])),
      detail: {
        scope: "run",
        summary: "Train on part of the past and detect anomalies in the rest, as live detection would",
        description:
          "The versions of the model do not change. The answer is the id of a job; with bg=false it is the result. As in a training, anomalies of live detection in the training part are left out, and false alarms are not raised again.",
        tags: ["models"],
      },
    },
  );
}
