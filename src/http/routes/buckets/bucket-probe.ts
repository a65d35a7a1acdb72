// Routes that probe data sources: connection test and exploration.
import { Type } from "@sinclair/typebox";
import { BucketContent, BucketTest } from "../../../api/bucket.ts";
import { Bucket } from "../../../resources/shared/kinds.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { readName } from "../../framework/names.ts";
import { commonQuery, type Params, pathNames, query } from "../../framework/params.ts";

const exploreParameters = {
  measurement: Type.Optional(
    Type.String({
      description: "Only this measurement; of Prometheus, metrics with this prefix before a `_`",
    }),
  ),
  field: Type.Optional(Type.String({ description: "Only this field" })),
  tag: Type.Optional(Type.String({ description: "List the values of this tag instead of fields" })),
  search: Type.Optional(
    Type.String({
      description:
        "Part of the name of a field (with `tag`: of a value), ignoring case; a pattern with `*` and `?` matches the whole name",
    }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 0, description: "Page of fields, or of values of the tag, from 0" }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Fields or values per page" }),
  ),
};

function pickExploreParams(query: Readonly<Record<string, string>>): Params {
  const given = Object.keys(exploreParameters).filter((name) => query[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** Routes of test and exploration. */
export function createProbeRoutes({ buckets }: Pick<AppDeps, "buckets">) {
  const params = pathNames("Bucket name");
  const tags = ["buckets"];
  return createInstance()
    .post("/buckets/_test", ({ body }) => buckets.testSettings(body), {
      query: query(),
      body: documented(Bucket),
      response: documented(BucketTest),
      detail: {
        scope: "admin",
        summary: "Test settings of a bucket before they are stored",
        description:
          "What they leave out comes from the stored bucket of that name, if it has the same type: its secrets, too, unless they would be sent to another place.",
        tags,
      },
    })
    .post("/buckets/:names/_test", ({ params }) => buckets.test(readName(params.names)), {
      params,
      query: query(),
      response: documented(BucketTest),
      detail: { scope: "run", summary: "Test the connection to the data source", tags },
    })
    .get(
      "/buckets/:names/_explore",
      ({ params, query }) => buckets.explore(readName(params.names), pickExploreParams(query)),
      {
        params,
        query: query({ ...commonQuery, ...exploreParameters }),
        response: documented(BucketContent),
        detail: {
          scope: "read",
          summary: "List measurements with their fields and tags, first and last point",
          tags,
        },
      },
    );
}
