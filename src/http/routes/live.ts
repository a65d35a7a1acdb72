// Routes of live detection: start, stop, anomalies and feedback on them, and what needs attention now.
import { Type } from "@sinclair/typebox";
import { Anomaly, AnomalyDetail, AnomalyLanes } from "../../api/anomaly.ts";
import { Related } from "../../api/related.ts";
import { Now } from "../../api/server/now.ts";
import { FeedbackInput } from "../../core/anomaly/feedback.ts";
import {
  anomalyFilters,
  laneParameters,
  lengthParameters,
  modelFilter,
  startParameters,
} from "../../resources/live/request.ts";
import { relatedParameters, relatedRange } from "../../resources/related/request.ts";
import { noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName, readNames } from "../framework/names.ts";
import { NoContent } from "../framework/noun-routes.ts";
import { commonQuery, listQuery, mergeParams, parameters, pathNames, query } from "../framework/params.ts";

const { sort: _, ...paging } = listQuery;
const anomalyParameters = { ...paging, ...lengthParameters, ...anomalyFilters };

const names = pathNames("Model names, separated by `;`");
const tags = ["live detection"];

const id = Type.String({ description: "Id of the anomaly" });
const anomalyPath = documented<{ names: string; id: string }>(
  Type.Object({ names: Type.String({ description: "Model name" }), id }),
);

/** Routes of live detection. */
export function createLiveRoutes({
  live,
  anomalies,
  now,
  related,
}: Pick<AppDeps, "live" | "anomalies" | "now" | "related">) {
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
        ...parameters("StartParameters", startParameters),
        response: NoContent,
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
    .post("/models/:names/_stop", ({ params }) => live.stopAll(readNames(params.names)).then(noContent), {
      params: names,
      response: NoContent,
      detail: { scope: "run", summary: "Stop live detection", tags },
    })
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
    )
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
    .use(createAnomalyRoutes(anomalies))
    .use(createRelatedRoutes(related));
}

function createAnomalyRoutes(anomalies: AppDeps["anomalies"]) {
  return createInstance()
    .get("/anomalies", ({ query }) => anomalies.list(query), {
      query: query({ ...anomalyParameters, ...modelFilter }),
      response: documented(Type.Array(Anomaly)),
      detail: { scope: "read", summary: "List the anomalies of all models, newest first", tags },
    })
    .get("/anomalies/_lanes", ({ query }) => anomalies.lanes(query), {
      query: query({ ...commonQuery, ...anomalyFilters, ...modelFilter, ...laneParameters }),
      response: documented(AnomalyLanes),
      detail: { scope: "read", summary: "Get the greatest peaks per model and cell of a range", tags },
    })
    .get("/anomalies/:id", ({ params }) => anomalies.get(params.id), {
      params: documented<{ id: string }>(Type.Object({ id })),
      response: documented(AnomalyDetail),
      detail: { scope: "read", summary: "Get an anomaly with its notifications", tags },
    });
}

function createRelatedRoutes(related: AppDeps["related"]) {
  return createInstance()
    .get("/anomalies/:id/related", ({ params, query }) => related.ofAnomaly(params.id, query), {
      params: documented<{ id: string }>(Type.Object({ id })),
      query: query({ ...commonQuery, ...relatedParameters }),
      response: documented(Related),
      detail: {
        scope: "read",
        summary: "Get what deviated beside an anomaly, the most probable cause first",
        description:
          "Live models and series that began to deviate from an hour before the anomaly until half an hour after it (of " +
          "slow series: 10 intervals, and 5). Those stay whose deviation chance does not explain, by their own past, " +
          "the distance in time, and tags in common; they are ranked by who began to change first, how rare it is, and " +
          "how much of its group moved. An empty list means that nothing else moved unusually. It reads recorded " +
          "scores, see `server.history`.",
        tags,
      },
    })
    .get("/related", ({ query }) => related.inRange(query), {
      query: query({ ...commonQuery, ...relatedRange, ...relatedParameters }),
      response: documented(Related),
      detail: {
        scope: "read",
        summary: "Get what deviated together in a range, the most probable cause first",
        description:
          "As of an anomaly: of the series that moved in the range, the largest group that moved together.",
        tags,
      },
    });
}
