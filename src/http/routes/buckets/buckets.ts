// Routes of buckets: settings and points.
import { Type } from "@sinclair/typebox";
import { BucketChange, Point } from "../../../api/bucket.ts";
import { JobId } from "../../../api/job.ts";
import { optional } from "../../../core/input/optional.ts";
import { parseBoolean } from "../../../core/input/value.ts";
import { readParameters } from "../../../resources/buckets/request.ts";
import { readColumns } from "../../../resources/columns/read-columns.ts";
import { Bucket } from "../../../resources/shared/kinds.ts";
import { answerJobTable, chooseTable, tableMedia } from "../../columns/table-answer.ts";
import { deleterOf } from "../../framework/access.ts";
import { accepted, created, deleted, noContent } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { readIfMatch, readName, readNames } from "../../framework/names.ts";
import { Created, createReadRoutes, NoContent } from "../../framework/noun-routes.ts";
import { commonQuery, mergeParams, parameters, pathNames, query } from "../../framework/params.ts";
import { createProbeRoutes } from "./bucket-probe.ts";

const Id = documented(JobId);

/** Routes of buckets. */
export function createBucketRoutes(deps: Pick<AppDeps, "buckets" | "jobs" | "limits" | "holdOpen">) {
  const { buckets } = deps;
  const params = pathNames("Bucket names, separated by `;`");
  const tags = ["buckets"];
  return createReadRoutes(buckets, { noun: "buckets", params, entry: Bucket })
    .post(
      "/buckets",
      ({ body, query }) =>
        buckets.put(body, { check: parseBoolean(query.check ?? false, "check") }).then(created),
      {
        query: query({
          ...commonQuery,
          check: optional.flag("Test the connection first; refuse settings that fail"),
        }),
        body: documented(Bucket),
        response: Created,
        detail: { scope: "admin", summary: "Create or replace a bucket", tags },
      },
    )
    .patch(
      "/buckets/:names",
      async ({ params, body, request }) => {
        const known = readNames(params.names);
        await buckets.patch(known, body, readIfMatch(request, known));
        return noContent();
      },
      {
        params,
        body: documented(BucketChange),
        response: NoContent,
        detail: { scope: "admin", summary: "Change settings of buckets", precondition: true, tags },
      },
    )
    .delete(
      "/buckets/:names",
      async ({ params, query, request }) => {
        const force = parseBoolean(query.force ?? false, "force");
        return deleted(await buckets.remove(readNames(params.names), { force, ...deleterOf(request) }));
      },
      {
        params,
        query: query({
          ...commonQuery,
          force: optional.flag("Delete even if a live model uses it"),
        }),
        response: NoContent,
        detail: {
          scope: "admin",
          summary: "Delete buckets",
          conflict: "A live model uses the bucket; stop the model, or use `force=true`",
          tags,
        },
      },
    )
    .use(createPointRoutes(deps))
    .use(createProbeRoutes({ buckets }));
}

function createPointRoutes(deps: Pick<AppDeps, "buckets" | "jobs" | "limits" | "holdOpen">) {
  const { buckets } = deps;
  const params = pathNames("Bucket name");
  const tags = ["buckets"];
  return createInstance()
    .post(
      "/buckets/:names/_write",
      async ({ params, query, body }) => {
        const { measurement } = query;
        const options = measurement ? { measurement } : {};
        return accepted(await buckets.write(readName(params.names), body, options));
      },
      {
        params,
        query: query({
          ...commonQuery,
          measurement: optional.text("Measurement of the points"),
        }),
        body: documented(Type.Array(Point)),
        response: { 202: Id },
        detail: { scope: "run", summary: "Write points", idempotent: true, tags },
      },
    )
    .post(
      "/buckets/:names/_read",
      async ({ params: { names }, query, body, request, set }) => {
        const [name, params] = [readName(names), mergeParams(query, body)];
        const format = chooseTable(request, set);
        if (!format) return accepted(await buckets.read(name, params));
        const submit = (options: { readonly foreground: boolean }) =>
          buckets.submitRead(name, params, options);
        return answerJobTable(deps, { params, request, format, submit, columnsOf: readColumns });
      },
      {
        params,
        ...parameters("ReadParameters", readParameters),
        response: { 202: Id },
        detail: {
          scope: "read",
          summary: "Read aggregates",
          description:
            "Answers the id of a job, whose result has the values. With `Accept: text/csv` or " +
            "`application/vnd.apache.arrow.stream` the request waits for the job and answers its columns: `time`, the tags of " +
            "`group_by`, and each feature.",
          media: tableMedia,
          tags,
        },
      },
    )
    .post(
      "/buckets/:names/_clear",
      ({ params, query, body }) =>
        buckets.clear(readName(params.names), mergeParams(query, body)).then(noContent),
      {
        params,
        response: NoContent,
        detail: { scope: "admin", summary: "Delete all points", tags },
      },
    );
}
