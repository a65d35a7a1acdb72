// Tool `explore_bucket`: measurements, fields and tags of a bucket, as features of models name them.
import { Type } from "@sinclair/typebox";
import type { BucketContentView } from "../../api/bucket.ts";
import { exploreParameters } from "../../resources/buckets/request.ts";
import { pageSizes } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { countOf, maybeIso } from "../views/values.ts";

const { per_page: _, ...parameters } = exploreParameters;

export const exploreBucket = defineTool({
  name: "explore_bucket",
  title: "Explore a bucket",
  description:
    "Measurements of a bucket with their fields, tags and the times of the first and last point: what features of " +
    "models and read_bucket can name. Not all types of buckets can be explored.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    {
      bucket: Type.String({ minLength: 1, maxLength: 256, description: "Name of the bucket" }),
      ...parameters,
      per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: pageSizes.most,
          description: `Fields or values per page; default ${pageSizes.usual}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ bucket, per_page = pageSizes.usual, ...given }, { buckets }) => {
    const { measurements, truncated } = (await buckets.explore(bucket, {
      page: 0,
      per_page,
      ...given,
    })) as BucketContentView;
    const shown = measurements.map(({ first_timestamp: first, last_timestamp: last, ...rest }) => ({
      ...rest,
      ...(first !== undefined && { first: maybeIso(first) }),
      ...(last !== undefined && { last: maybeIso(last) }),
    }));
    const more = truncated ? "; there are more: use search, or the next page" : "";
    return {
      summary: `${countOf(measurements.length, "measurement")}${more}.`,
      data: { measurements: shown, truncated, page: given.page ?? 0 },
    };
  },
});
