// Routes of scheduled jobs: requests that the server sends to itself.
import { Type } from "@sinclair/typebox";
import {
  ScheduledJob,
  ScheduledJobChange,
  ScheduledJobInput,
  TimetableInput,
  TimetablePreview,
} from "../../api/scheduled-job.ts";
import type { Creator } from "../../core/access/token.ts";
import { deleterOf, principalOf } from "../framework/access.ts";
import { created, deleted, noContent, withAdvice } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readJobNames, showOnce } from "../framework/names.ts";
import { Created, NoContent } from "../framework/noun-routes.ts";
import { listParams, listQuery, pathNames, query } from "../framework/params.ts";

const tags = ["scheduled jobs"];

/** The token whose rights the runs of a job have; empty without authentication. */
function creatorOf(request: Request): [] | [Creator] {
  const { token } = principalOf(request);
  return token ? [token] : [];
}

type Deps = Pick<AppDeps, "scheduledJobs" | "advice">;

const aboutAdvice =
  "The header `X-Torus-Advice` names models, buckets, templates, calendars and hooks of the request that do not exist.";

/** Routes of scheduled jobs. */
export function createScheduledJobRoutes({ scheduledJobs, advice }: Deps) {
  return createInstance()
    .get("/scheduled_jobs", ({ query }) => scheduledJobs.list(listParams(query)), {
      query: query(listQuery),
      response: documented(Type.Array(ScheduledJob)),
      detail: { scope: "read", summary: "List all scheduled jobs", tags },
    })
    .post(
      "/scheduled_jobs",
      async ({ body, request }) => {
        await scheduledJobs.put(body, ...creatorOf(request));
        return withAdvice(created(), await advice.onScheduledJob(body));
      },
      {
        body: documented(ScheduledJobInput),
        response: Created,
        detail: {
          scope: "admin",
          summary: "Create or replace a scheduled job",
          description: aboutAdvice,
          tags,
        },
      },
    )
    .post("/scheduled_jobs/_preview", ({ body }) => scheduledJobs.preview(body), {
      body: documented(TimetableInput),
      response: documented(TimetablePreview),
      detail: {
        scope: "read",
        summary: "Get the next runs of a timetable that is not stored",
        idempotent: true,
        tags,
      },
    })
    .delete(
      "/scheduled_jobs",
      async ({ request }) => deleted(await scheduledJobs.clear(deleterOf(request))),
      {
        response: NoContent,
        detail: { scope: "admin", summary: "Delete all scheduled jobs", tags },
      },
    )
    .use(createNamedRoutes({ scheduledJobs, advice }));
}

/** Names come from the raw URL, as `+` and `%2B` do not differ after decoding. */
function createNamedRoutes({ scheduledJobs, advice }: Deps) {
  const params = pathNames("Names of scheduled jobs, separated by `;`; `+` is a space");
  return createInstance()
    .post(
      "/scheduled_jobs/:names/_run",
      ({ request }) => scheduledJobs.run(readJobNames(request.url, -2)).then(noContent),
      {
        params,
        response: NoContent,
        detail: {
          scope: "admin",
          summary: "Start runs of scheduled jobs now",
          description:
            "Paused jobs run, too; a run under way is not started again. The runs have the rights of the job.",
          tags,
        },
      },
    )
    .get(
      "/scheduled_jobs/:names",
      ({ request, query }) =>
        scheduledJobs.get(showOnce(readJobNames(request.url), query), listParams(query)),
      {
        params,
        query: query(listQuery),
        response: documented(Type.Array(ScheduledJob)),
        detail: { scope: "read", summary: "Get scheduled jobs, one entry per name", tags },
      },
    )
    .patch(
      "/scheduled_jobs/:names",
      async ({ request, body }) => {
        await scheduledJobs.patch(readJobNames(request.url), body, ...creatorOf(request));
        return withAdvice(noContent(), await advice.onScheduledJob(body));
      },
      {
        params,
        body: documented(ScheduledJobChange),
        response: NoContent,
        detail: { scope: "admin", summary: "Change scheduled jobs", description: aboutAdvice, tags },
      },
    )
    .delete(
      "/scheduled_jobs/:names",
      async ({ request }) =>
        deleted(await scheduledJobs.remove(readJobNames(request.url), deleterOf(request))),
      {
        params,
        response: NoContent,
        detail: { scope: "admin", summary: "Delete scheduled jobs; unknown names are ignored", tags },
      },
    );
}
