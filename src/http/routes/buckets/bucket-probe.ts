// Routes that probe data sources: connection test and exploration.
import { BucketContent, BucketTest } from "../../../api/bucket.ts";
import { exploreParameters } from "../../../resources/buckets/request.ts";
import { Bucket } from "../../../resources/shared/kinds.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { readName } from "../../framework/names.ts";
import { commonQuery, type Params, pathNames, query } from "../../framework/params.ts";

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
