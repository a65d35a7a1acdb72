// Route of backtests.
import { Type } from "@sinclair/typebox";
import { answerJob } from "./answer-job.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName } from "./names.ts";
import { commonQuery, mergeParams, pathNames, query } from "./params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const number = (description: string) => Type.Optional(Type.Number({ description }));
const integer = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const parameters = {
  ...commonQuery,
  from: text("Start, inclusive"),
  to: text("End, exclusive; default now"),
  train_to: text("End of the part to train on; the rest is evaluated"),
  train_share: number("The same as a share of the range; default 0.5"),
  bg: Type.Optional(
    Type.Boolean({ description: "false: wait for the result instead of answering the id of the job" }),
  ),
  input_bucket: text("Bucket to read instead of the model's own"),
  max_evals: integer("Hyper-parameter trials"),
  epochs: integer("Passes over the data"),
  max_threshold: number("In place of the model's; 0 = automatic"),
  min_threshold: number("In place of the model's; absent: as large a share of max_threshold as it is there"),
  label_field: text("Field that is a number other than 0 where something is anomalous"),
  label_bucket: text("Bucket of label_field; default: the one that is read"),
  label_measurement: text("Measurement of label_field, where the bucket has several"),
  expected_false_alarms: number("False alarms per week that the suggested threshold aims at; default 0.5"),
  include_scores: flag("Add `scores`: the score of every interval"),
};
const Label = Type.Object(
  {
    from: Type.Union([Type.String(), Type.Number()], { description: "Start, inclusive" }),
    to: Type.Union([Type.String(), Type.Number()], { description: "End, exclusive" }),
  },
  { additionalProperties: false },
);
const body = {
  ...parameters,
  labels: Type.Optional(
    Type.Array(Label, { description: "What is known to be anomalous, within the evaluated part" }),
  ),
};

const part = { from: Type.Number(), to: Type.Number(), points: Type.Integer() };
const quality = {
  precision: number("Episodes that overlap a label, among all that are judged"),
  recall: number("Labels that an episode overlaps, among all"),
  f1: number("Harmonic mean of both"),
};
const Choice = Type.Object({ max_threshold: Type.Number(), min_threshold: Type.Number() });
const Result = Type.Object({
  trained: Type.Object({
    ...part,
    span: Type.Integer(),
    loss: Type.Number(),
    feedback: Type.Optional(
      Type.Object(
        { excluded: Type.Integer(), tolerated: Type.Integer() },
        {
          description: "Anomalies of live detection that were left out, and false alarms, as a training does",
        },
      ),
    ),
  }),
  evaluated: Type.Object({ ...part, scored: Type.Integer() }),
  thresholds: Type.Object({ max: Type.Number(), min: Type.Number() }, { description: "Those in force" }),
  episodes: Type.Array(
    Type.Object({
      start: Type.Number({ description: "Seconds since the epoch" }),
      end: Type.Union([Type.Number(), Type.Null()], { description: "null where the range ends first" }),
      peak_score: Type.Number(),
      features: Type.Record(Type.String(), Type.Unknown(), { description: "As in anomalies" }),
      label: flag("Whether it overlaps a label; absent where nothing is known"),
    }),
  ),
  alerts_per_week: Type.Array(
    Type.Composite([Choice, Type.Object({ episodes: Type.Integer(), per_week: Type.Number(), ...quality })]),
    { description: "What other thresholds would have found in the same scores" },
  ),
  labels: Type.Optional(
    Type.Object({
      source: Type.String({
        description:
          "`given`: with the request; `feedback`: without any, what people said of the anomalies of the evaluated part",
      }),
      count: Type.Integer(),
      found: Type.Integer(),
      missed: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number() })),
      ...quality,
      delay_seconds_median: number("From the start of a label to that of its first episode"),
      false_alarms: Type.Optional(
        Type.Object(
          { count: Type.Integer(), raised: Type.Integer() },
          { description: "With `feedback`: those people spoke of, and how many were raised again" },
        ),
      ),
      unjudged: Type.Optional(Type.Integer({ description: "Episodes that precision leaves out" })),
    }),
  ),
  best: Type.Optional(
    Type.Composite([Choice, Type.Object({ f1: Type.Number() })], { description: "The row with the best F1" }),
  ),
  suggestion: Type.Optional(
    Type.Composite(
      [Choice, Type.Object({ false_alarms_per_week: Type.Number(), expected_false_alarms: Type.Number() })],
      {
        description: "The lowest threshold that keeps false alarms as rare as expected, where it can be said",
      },
    ),
  ),
  scores: Type.Optional(
    Type.Object({
      timestamps: Type.Array(Type.Number()),
      score: Type.Array(Type.Union([Type.Number(), Type.Null()])),
    }),
  ),
});
const JobId = Type.String({ format: "uuid", description: "Id of the job" });

/** Routes of backtests. */
export function createBacktestRoutes(deps: Pick<AppDeps, "backtests" | "jobs" | "limits" | "holdOpen">) {
  const { backtests } = deps;
  return createInstance().post(
    "/models/:names/_backtest",
    ({ params, query, body, request }) => {
      const wishes = mergeParams(query, body);
      return answerJob(deps, {
        wishes,
        request,
        submit: (options) => backtests.submit(readName(params.names), wishes, options),
        inBackground: true,
      });
    },
    {
      params: pathNames("Model name"),
      query: query(parameters),
      body: documented(Type.Object(body)),
      response: documented(Type.Union([JobId, Result])),
      detail: {
        scope: "run",
        summary: "Train on a part of the past and look for anomalies in the rest, as live detection would",
        description:
          "The model's versions are not touched. The answer is the id of a job, whose result says what was found; with bg=false it is the result. As in a training, anomalies of live detection in the trained part are left out, and false alarms are not raised again.",
        tags: ["models"],
      },
    },
  );
}
