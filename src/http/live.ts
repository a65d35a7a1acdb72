// Routes of live detection: start, stop, the anomalies it found, and what people say of them.
import { Type } from "@sinclair/typebox";
import { FeedbackInput } from "../core/feedback.ts";
import { episodeStates, MOST_ANOMALIES } from "../resources/anomalies.ts";
import { noContent } from "./answer.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName, readNames } from "./names.ts";
import { commonQuery, listQuery, mergeParams, pathNames, query } from "./params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const startParameters = {
  ...commonQuery,
  detect_anomalies: flag("Look for anomalies and tell hooks of them"),
  flag_abnormal_data: flag("Same as detect_anomalies"),
  save_output_data: flag("Save what was predicted and observed"),
  output_bucket: text("Bucket to save to; default: the one the model reads from"),
};
const { sort: _, ...paging } = listQuery;
const anomalyParameters = {
  ...paging,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_ANOMALIES, description: "At most so many, in place of pages" }),
  ),
  from: text("Start, inclusive"),
  to: text("End, exclusive"),
  state: Type.Optional(
    Type.Union(
      episodeStates.map((state) => Type.Literal(state)),
      { description: "Those that last still, or those that have ended" },
    ),
  ),
  min_score: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: "Only those whose peak reached this score" }),
  ),
};

const Report = Type.Object({
  type: Type.Union([Type.Literal("low"), Type.Literal("high")]),
  score: Type.Number({ description: "0..100" }),
  observed: Type.Union([Type.Number(), Type.Null()]),
  predicted: Type.Number(),
  lower: Type.Number(),
  upper: Type.Number(),
  factor: Type.Optional(
    Type.Number({ description: "Distance of `observed` from `predicted` in half-widths of the band" }),
  ),
  rarity: Type.Optional(
    Type.Number({ description: "One normal point in `10^rarity` is so odd; unlike the score it has no top" }),
  ),
  metric: text("As in the model's settings, when it was found"),
  field: text("The same"),
  measurement: text("The same"),
  bucket: text("The bucket it was read from"),
  tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "`match_all` of the feature" }),
  ),
});
const Episode = Type.Object({
  id: Type.String({ format: "uuid" }),
  model: Type.String(),
  start: Type.Number({ description: "Seconds since the epoch" }),
  end: Type.Union([Type.Number(), Type.Null()], { description: "null while it lasts" }),
  peak_score: Type.Number(),
  peak_rarity: Type.Optional(
    Type.Number({ description: "The greatest `rarity` at the peak: ranks anomalies whose peak scored 100" }),
  ),
  features: Type.Record(Type.String(), Report, { description: "The features that took part, at its start" }),
  peak: Type.Record(Type.String(), Report, { description: "The same at its peak" }),
  closed_by: text("Why it ended without a low score"),
  feedback: Type.Optional(
    Type.Composite(
      [FeedbackInput, Type.Object({ at: Type.Number({ description: "Seconds since the epoch" }) })],
      {
        description: "What people said of it last",
      },
    ),
  ),
});
const Nothing = documented(Type.Null());
const names = pathNames("Model names, separated by `;`");
const tags = ["live detection"];

/** Routes of live detection. */
export function createLiveRoutes({ live, anomalies }: Pick<AppDeps, "live" | "anomalies">) {
  return createInstance()
    .post(
      "/models/:names/_start",
      async ({ params, query, body }) => {
        await live.startAll(readNames(params.names), mergeParams(query, body));
        return noContent();
      },
      {
        params: names,
        query: query(startParameters),
        body: documented(Type.Object(startParameters)),
        response: { 204: Nothing },
        detail: { scope: "run", summary: "Watch live", tags },
      },
    )
    .post(
      "/models/:names/_stop",
      async ({ params }) => {
        await live.stopAll(readNames(params.names));
        return noContent();
      },
      {
        params: names,
        query: query(),
        response: { 204: Nothing },
        detail: { scope: "run", summary: "Watch no longer", tags },
      },
    )
    .post(
      "/models/:names/anomalies/:id/_feedback",
      async ({ params, body }) => {
        await anomalies.judge(readName(params.names), params.id, body);
        return noContent();
      },
      {
        params: documented<{ names: string; id: string }>(
          Type.Object({
            names: Type.String({ description: "Model name" }),
            id: Type.String({ description: "Id of the anomaly" }),
          }),
        ),
        query: query(),
        body: documented(FeedbackInput),
        response: { 204: Nothing },
        detail: {
          scope: "run",
          summary: "Say whether it was an anomaly",
          description:
            "The next training leaves anomalies out, and no longer raises the like of a false alarm. Whatever nobody has judged is left out as well.",
          tags,
        },
      },
    )
    .get("/models/:names/anomalies", ({ params, query }) => anomalies.list(query, readName(params.names)), {
      params: pathNames("Model name"),
      query: query(anomalyParameters),
      response: documented(Type.Array(Episode)),
      detail: { scope: "read", summary: "Anomalies of a model, newest first", tags },
    })
    .get("/anomalies", ({ query }) => anomalies.list(query), {
      query: query(anomalyParameters),
      response: documented(Type.Array(Episode)),
      detail: { scope: "read", summary: "Anomalies of all models, newest first", tags },
    });
}
