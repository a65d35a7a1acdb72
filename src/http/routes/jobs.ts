// Routes of jobs: list, get, cancel, retry.
import { Type } from "@sinclair/typebox";
import { Job, JobId } from "../../api/job.ts";
import { optional } from "../../core/input/optional.ts";
import { jobStates, jobTypes } from "../../core/job.ts";
import { noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readNames, readShownNames } from "../framework/names.ts";
import { NoContent } from "../framework/noun-routes.ts";
import { listParams, listQuery, pathNames, query } from "../framework/params.ts";

const several = "; several separated by `;`";

const jobsQuery = {
  ...listQuery,
  state: optional.text(`${jobStates.join(", ")}${several}`),
  type: optional.text(`${jobTypes.join(", ")}${several}`),
  model: optional.text(`Model name${several}`),
  since: optional.text("Only jobs that started then or later: a date, seconds, or relative as in now-1d"),
};
const aboutResults =
  "In lists, results over 64 kB are null with `result_omitted`, unless selected by `fields=result` and " +
  "`include_fields=true`. A single id always answers the result while it is stored.";

/** Routes of jobs. */
export function createJobRoutes({ jobs }: Pick<AppDeps, "jobs">) {
  const params = pathNames("Job ids, separated by `;`");
  const tags = ["jobs"];
  return createInstance()
    .get("/jobs", ({ query }) => jobs.list(listParams(query)), {
      query: query(jobsQuery),
      response: documented(Type.Array(Job)),
      detail: {
        scope: "read",
        summary: "List jobs, filtered by state, type, model or date",
        description: aboutResults,
        tags,
      },
    })
    .get(
      "/jobs/:names",
      ({ params, query }) => jobs.get(readShownNames(params.names, query), listParams(query)),
      {
        params,
        query: query(listQuery),
        response: documented(Type.Array(Job)),
        detail: { scope: "read", summary: "Get jobs, one entry per id", description: aboutResults, tags },
      },
    )
    .post("/jobs/:names/_cancel", ({ params }) => jobs.cancel(readNames(params.names)).then(noContent), {
      params,
      response: NoContent,
      detail: { scope: "run", summary: "Cancel jobs", conflict: "A job has already ended", tags },
    })
    .post("/jobs/:names/_retry", ({ params }) => jobs.retry(readNames(params.names)), {
      params,
      response: documented(Type.Array(JobId)),
      detail: {
        scope: "run",
        summary: "Submit failed or canceled jobs anew",
        description:
          "Answers the ids of the new jobs. These have the input of the old ones: settings and ranges of then. Inputs " +
          "of more than 64 kB are not kept.",
        conflict: "A job has not failed and was not canceled, or the model is in training",
        tags,
      },
    });
}
