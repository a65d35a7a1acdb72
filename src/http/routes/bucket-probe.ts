// Routes that look into data sources: whether one works, and what is in it.
import { Type } from "@sinclair/typebox";
import { BucketContent, BucketTest } from "../../api/bucket.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { commonQuery, type Params, pathNames, query } from "../framework/params.ts";

const exploreParameters = {
  measurement: Type.Optional(
    Type.String({ description: "Only this one; of Prometheus, metrics that begin with it and `_`" }),
  ),
  field: Type.Optional(Type.String({ description: "Only this one" })),
  tag: Type.Optional(Type.String({ description: "Lists the values of this tag, and no fields" })),
  search: Type.Optional(
    Type.String({
      description:
        "Part of the name of a field, or with `tag` of a value, in upper or lower case; with `*` and `?` the whole name",
    }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 0, description: "Page of the fields, or of the values of the tag, from 0" }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Fields or values of a page" }),
  ),
};

function pickExplored(query: Readonly<Record<string, string>>): Params {
  const given = Object.keys(exploreParameters).filter((name) => query[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** Routes that look into data sources. */
export function createProbeRoutes({ buckets }: Pick<AppDeps, "buckets">) {
  const params = pathNames("Bucket name");
  const tags = ["buckets"];
  return createInstance()
    .post("/buckets/:names/_test", ({ params }) => buckets.test(readName(params.names)), {
      params,
      query: query(),
      response: documented(BucketTest),
      detail: { scope: "run", summary: "Connect, and say what is there or why it does not work", tags },
    })
    .get(
      "/buckets/:names/_explore",
      ({ params, query }) => buckets.explore(readName(params.names), pickExplored(query)),
      {
        params,
        query: query({ ...commonQuery, ...exploreParameters }),
        response: documented(BucketContent),
        detail: {
          scope: "read",
          summary: "Measurements with their fields and tags, first and last point",
          tags,
        },
      },
    );
}
