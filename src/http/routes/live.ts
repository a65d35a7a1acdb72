// Routes of live detection: start, stop, anomalies and feedback on them.
import { Type } from "@sinclair/typebox";
import { Anomaly } from "../../api/anomaly.ts";
import { FeedbackInput } from "../../core/anomaly/feedback.ts";
import { episodeStates, MAX_ANOMALIES } from "../../resources/anomalies.ts";
import { noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { listQuery, mergeParams, parameters, pathNames, query } from "../framework/params.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const startParameters = {
  detect_anomalies: flag("Detect anomalies and notify hooks"),
  flag_abnormal_data: flag("Same as detect_anomalies"),
  save_output_data: flag("Save predicted and observed values"),
  output_bucket: text("Bucket to save to; default: the one the model reads from"),
};
const { sort: _, ...paging } = listQuery;
const anomalyParameters = {
  ...paging,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ANOMALIES,
      description: "Maximum number of entries, in place of pages",
    }),
  ),
  from: text("Start, inclusive"),
  to: text("End, exclusive"),
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
};

const Nothing = documented(Type.Null());
const names = pathNames("Model names, separated by `;`");
const tags = ["live detection"];

/** Routes of live detection. */
export function createLiveRoutes({ live, anomalies }: Pick<AppDeps, "live" | "anomalies">) {
  return createInstance()
    .post(
      "/models/:names/_start",
      async ({ params, query, body, set }) => {
        const advice = await live.startAll(readNames(params.names), mergeParams(query, body));
        if (advice.length > 0) set.headers["x-torus-advice"] = advice.join("; ");
        return noContent();
      },
      {
        params: names,
        query: query(),
        body: parameters("StartParameters", startParameters),
        response: { 204: Nothing },
        detail: {
          scope: "run",
          summary: "Start live detection",
          description:
            "The header `X-Torus-Advice` names models whose points arrive after the evaluation of their window, with a " +
            "sufficient `offset`. A model with `detector: auto` needs no training: it learns while it is live.",
          tags,
        },
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
        detail: { scope: "run", summary: "Stop live detection", tags },
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
          summary: "Give feedback on an anomaly",
          description:
            "The next training leaves out anomalies, including those without feedback, and learns to tolerate false alarms.",
          tags,
        },
      },
    )
    .get("/models/:names/anomalies", ({ params, query }) => anomalies.list(query, readName(params.names)), {
      params: pathNames("Model name"),
      query: query(anomalyParameters),
      response: documented(Type.Array(Anomaly)),
      detail: { scope: "read", summary: "List the anomalies of a model, newest first", tags },
    })
    .get("/anomalies", ({ query }) => anomalies.list(query), {
      query: query(anomalyParameters),
      response: documented(Type.Array(Anomaly)),
      detail: { scope: "read", summary: "List the anomalies of all models, newest first", tags },
    });
}
