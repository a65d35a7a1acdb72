// Routes of live detection: start, stop, anomalies and feedback on them, and what needs attention now.
import { Type } from "@sinclair/typebox";
import { Anomaly, AnomalyDetail, AnomalyLanes } from "../../api/anomaly.ts";
import { Now } from "../../api/server/now.ts";
import { FeedbackInput } from "../../core/anomaly/feedback.ts";
import { needed } from "../../core/input/optional.ts";
import {
  anomalyFilters,
  laneParameters,
  lengthParameters,
  modelFilter,
  startParameters,
} from "../../resources/live/request.ts";
import { noContent, withAdvice } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { NoContent } from "../framework/noun-routes.ts";
import {
  commonQuery,
  listQuery,
  mergeParams,
  parameters,
  pathNames,
  pathParams,
  query,
} from "../framework/params.ts";

const { sort: _, ...paging } = listQuery;
const anomalyParameters = { ...paging, ...lengthParameters, ...anomalyFilters };

const names = pathNames("Model names, separated by `;`");
const tags = ["live detection"];

const id = "Id of the anomaly";
const anomalyPath = pathParams({ names: "Model name", id });

/** Routes of live detection. */
export function createLiveRoutes({ live, anomalies, now }: Pick<AppDeps, "live" | "anomalies" | "now">) {
  return createInstance()
    .use(createRunRoutes(live))
    .use(createFeedbackRoutes(anomalies))
    .get("/models/:names/anomalies", ({ params, query }) => anomalies.list(query, readName(params.names)), {
      params: pathNames("Model name"),
      query: query(anomalyParameters),
      response: documented(Type.Array(Anomaly)),
      detail: { scope: "read", summary: "List the anomalies of a model, newest first", tags },
    })
    .get("/now", () => now.read(), {
      query: query(commonQuery),
      response: documented(Now),
      detail: {
        scope: "read",
        summary: "Get what needs attention now",
        description:
          "Anomalies in progress, models and series without data, failures, bounds that forecasts break, and anomalies " +
          "that nobody has judged. Each list is cut; `total` has the number of all.",
        tags,
      },
    })
    .use(createAnomalyRoutes(anomalies));
}

function createRunRoutes(live: AppDeps["live"]) {
  return createInstance()
    .post(
      "/models/:names/_start",
      async ({ params, query, body }) =>
        withAdvice(noContent(), await live.startAll(readNames(params.names), mergeParams(query, body))),
      {
        params: names,
        ...parameters("StartParameters", startParameters),
        response: NoContent,
        detail: {
          scope: "run",
          summary: "Start live detection",
          description:
            "The header `X-Torus-Advice` names models whose points arrive after the evaluation of their window, with a " +
            "sufficient `offset`, and fields and tags that the bucket does not have. A model with `detector: auto` needs " +
            "no training: it learns while it is live.",
          tags,
        },
      },
    )
    .post(
      "/models/:names/_stop",
      ({ params, query }) => live.stopAll(readNames(params.names), query).then(noContent),
      {
        params: names,
        response: NoContent,
        detail: { scope: "run", summary: "Stop live detection", tags },
      },
    );
}

function createFeedbackRoutes(anomalies: AppDeps["anomalies"]) {
  return createInstance()
    .delete(
      "/models/:names/anomalies/:id/_feedback",
      ({ params }) => anomalies.withdraw(readName(params.names), params.id).then(noContent),
      {
        params: anomalyPath,
        response: NoContent,
        detail: { scope: "run", summary: "Withdraw the feedback on an anomaly", tags },
      },
    )
    .post(
      "/models/:names/anomalies/:id/_feedback",
      ({ params, body }) => anomalies.judge(readName(params.names), params.id, body).then(noContent),
      {
        params: anomalyPath,
        body: documented(FeedbackInput),
        response: NoContent,
        detail: {
          scope: "run",
          summary: "Give feedback on an anomaly",
          description:
            "The next training leaves out anomalies, including those without feedback, and learns to tolerate false alarms.",
          tags,
        },
      },
    );
}

function createAnomalyRoutes(anomalies: AppDeps["anomalies"]) {
  return createInstance()
    .get("/anomalies", ({ query }) => anomalies.list(query), {
      query: query({ ...anomalyParameters, ...modelFilter }),
      response: documented(Type.Array(Anomaly)),
      detail: { scope: "read", summary: "List the anomalies of all models, newest first", tags },
    })
    .get("/anomalies/_lanes", ({ query }) => anomalies.lanes(query), {
      query: query({
        ...commonQuery,
        ...anomalyFilters,
        ...modelFilter,
        ...laneParameters,
        from: needed(anomalyFilters.from),
      }),
      response: documented(AnomalyLanes),
      detail: { scope: "read", summary: "Get the greatest peaks per model and cell of a range", tags },
    })
    .get("/anomalies/:id", ({ params }) => anomalies.get(params.id), {
      params: pathParams({ id }),
      response: documented(AnomalyDetail),
      detail: {
        scope: "read",
        summary: "Get an anomaly with the changes before it and its notifications",
        tags,
      },
    });
}
