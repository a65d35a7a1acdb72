// Routes of related series: what deviated beside an anomaly, or together in a range.
import { Type } from "@sinclair/typebox";
import { JobId } from "../../../api/job.ts";
import { Related, RelatedScan } from "../../../api/related.ts";
import { parseBoolean } from "../../../core/input/value.ts";
import { relatedParameters, relatedRange, scanParameters } from "../../../resources/related/request.ts";
import { answerJob } from "../../framework/answer-job.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { commonQuery, type Params, pathParams, query } from "../../framework/params.ts";

const tags = ["live detection"];
const parameters = { ...commonQuery, ...relatedParameters, ...scanParameters };
const response = documented(Type.Union([Related, RelatedScan, JobId]));

type Deps = Pick<AppDeps, "related" | "relatedScans" | "jobs" | "limits" | "holdOpen">;

/** Routes of related series. */
export function createRelatedRoutes(deps: Deps) {
  const { related } = deps;
  return createInstance()
    .get(
      "/anomalies/:id/related",
      ({ params: { id }, query, request }) =>
        isScan(query) ? scan(deps, { id, query, request }) : related.ofAnomaly(id, query),
      {
        params: pathParams({ id: "Id of the anomaly" }),
        query: query(parameters),
        response,
        detail: {
          scope: "read",
          summary: "Get what deviated beside an anomaly, the most probable cause first",
          description:
            "Live models and series that began to deviate from an hour before the anomaly until half an hour after it " +
            "(of slow series: 10 intervals, and 5). Those stay whose deviation chance does not explain, by their own " +
            "past, the distance in time, and tags in common; they are ranked by who began to change first, how rare it " +
            "is, and how much of its group moved. An empty list means that nothing else moved unusually. It reads " +
            "recorded scores, see `server.history`; with `scan=true` the series of a bucket.",
          tags,
        },
      },
    )
    .get(
      "/related",
      ({ query, request }) =>
        isScan(query) ? scan(deps, { id: undefined, query, request }) : related.inRange(query),
      {
        query: query({ ...parameters, ...relatedRange }),
        response,
        detail: {
          scope: "read",
          summary: "Get what deviated together in a range, the most probable cause first",
          description:
            "As of an anomaly: of the series that moved in the range, the largest group that moved together.",
          tags,
        },
      },
    );
}

function isScan({ scan = false }: Params): boolean {
  return parseBoolean(scan, "scan");
}

interface ScanRequest {
  readonly id: string | undefined;
  readonly query: Params;
  readonly request: Request;
}

function scan(deps: Deps, { id, query, request }: ScanRequest) {
  return answerJob(deps, {
    params: query,
    request,
    submit: ({ foreground }) => deps.relatedScans.submit(id, query, foreground),
  });
}
