// Routes of buckets: their settings, and the points in them.
import { Type } from "@sinclair/typebox";
import { parseBoolean } from "../core/value.ts";
import { accepted, created, noContent } from "./answer.ts";
import { createProbeRoutes } from "./bucket-probe.ts";
import type { AppDeps } from "./deps.ts";
import { documented } from "./documented.ts";
import { createInstance } from "./instance.ts";
import { readName, readNames, readShownNames } from "./names.ts";
import { commonQuery, listParams, listQuery, mergeParams, pathNames, query } from "./params.ts";

const Settings = Type.Record(Type.String(), Type.Unknown(), {
  description: "`name`, `type` and the settings of that kind",
});
const SettingsList = documented(Type.Array(Settings));
const JobId = documented(Type.String({ format: "uuid", description: "Id of the job" }));
const Success = documented(Type.Literal("success"));
const Nothing = documented(Type.Null());

const Points = Type.Array(
  Type.Object(
    {
      timestamp: Type.Union([Type.Number(), Type.String()], { description: "Seconds, or ISO 8601" }),
      tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { description: "Every other key is a field: number, string, boolean or null" },
  ),
);
const readParameters = {
  ...commonQuery,
  from: Type.Optional(Type.String({ description: "Start, inclusive" })),
  to: Type.Optional(Type.String({ description: "End, exclusive" })),
  bucket_interval: Type.Optional(Type.String({ description: "Length of one interval" })),
  features: Type.Optional(Type.String({ description: "`avg(x);count(m.y)`" })),
};

/** Routes of buckets. */
export function createBucketRoutes({ buckets }: Pick<AppDeps, "buckets">) {
  const params = pathNames("Bucket names, separated by `;`");
  const tags = ["buckets"];
  return createInstance()
    .get("/buckets", ({ query }) => buckets.list(listParams(query)), {
      query: query(listQuery),
      response: SettingsList,
      detail: { scope: "read", summary: "All buckets", tags },
    })
    .post(
      "/buckets",
      async ({ body, query }) => {
        await buckets.put(body, { check: parseBoolean(query.check ?? false, "check") });
        return created();
      },
      {
        query: query({
          ...commonQuery,
          check: Type.Optional(
            Type.Boolean({ description: "Connect first; refuse settings that do not work" }),
          ),
        }),
        body: documented(Settings),
        response: { 201: Success },
        detail: { scope: "admin", summary: "Create or replace a bucket", tags },
      },
    )
    .get(
      "/buckets/:names",
      ({ params, query }) => buckets.get(readShownNames(params.names, query), listParams(query)),
      {
        params,
        query: query(listQuery),
        response: SettingsList,
        detail: { scope: "read", summary: "Some buckets, one entry per name", tags },
      },
    )
    .patch(
      "/buckets/:names",
      async ({ params, body }) => {
        await buckets.patch(readNames(params.names), body);
        return noContent();
      },
      {
        params,
        query: query(),
        body: documented(Settings),
        response: { 204: Nothing },
        detail: { scope: "admin", summary: "Change settings of buckets", tags },
      },
    )
    .delete(
      "/buckets/:names",
      async ({ params, query }) => {
        await buckets.remove(readNames(params.names), { force: parseBoolean(query.force ?? false, "force") });
        return noContent();
      },
      {
        params,
        query: query({
          ...commonQuery,
          force: Type.Optional(Type.Boolean({ description: "Also when a live model uses it" })),
        }),
        response: { 204: Nothing },
        detail: {
          scope: "admin",
          summary: "Delete buckets",
          conflict: "A live model uses it; stop the model, or `force=true`",
          tags,
        },
      },
    )
    .use(createPointRoutes(buckets))
    .use(createProbeRoutes({ buckets }));
}

function createPointRoutes(buckets: AppDeps["buckets"]) {
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
          measurement: Type.Optional(Type.String({ description: "Measurement of the points" })),
        }),
        body: documented(Points),
        response: { 202: JobId },
        detail: { scope: "run", summary: "Write points", tags },
      },
    )
    .post(
      "/buckets/:names/_read",
      async ({ params, query, body }) => {
        return accepted(await buckets.read(readName(params.names), mergeParams(query, body)));
      },
      {
        params,
        query: query(readParameters),
        body: documented(Type.Object(readParameters)),
        response: { 202: JobId },
        detail: { scope: "read", summary: "Read aggregates", tags },
      },
    )
    .post(
      "/buckets/:names/_clear",
      async ({ params }) => {
        await buckets.clear(readName(params.names));
        return noContent();
      },
      {
        params,
        query: query(),
        response: { 204: Nothing },
        detail: { scope: "admin", summary: "Delete the points", tags },
      },
    );
}
