// Contract rows of conditional changes: a PATCH with `If-Match` succeeds once for each state it was read in.
import { aModel } from "../support/builders.ts";
import { type Row, refuses, type Table } from "./suite.ts";

const feature = { name: "x", metric: "avg", field: "x" };

function rowsOf(path: string, first: object, second: object): Row[] {
  const condition = { "if-match": "$tag" };
  return [
    { shows: "the tag of one", request: `GET ${path}`, status: 200, holds: ['"etag","\\"'] },
    {
      shows: "no tag of several",
      request: `GET ${path};${path.split("/")[2]}`,
      status: 200,
      lacks: ['"etag"'],
    },
    {
      shows: "another tag, answered with the current one",
      request: `PATCH ${path}`,
      headers: { "if-match": '"other"' },
      body: first,
      status: 412,
      has: { code: "precondition_failed" },
      keepParts: { tag: "etag" },
    },
    { shows: "the current tag", request: `PATCH ${path}`, headers: condition, body: first, status: 204 },
    { shows: "the same tag again", request: `PATCH ${path}`, headers: condition, body: second, status: 412 },
    { shows: "any tag", request: `PATCH ${path}`, headers: { "if-match": "*" }, body: second, status: 204 },
    refuses("a tag without quotes", `PATCH ${path}`, {
      path: "if-match",
      headers: { "if-match": "x" },
      body: second,
    }),
    refuses("a tag for two", `PATCH ${path};${path.split("/")[2]}`, {
      path: "if-match",
      headers: condition,
      body: second,
    }),
    refuses("an unknown name", `PATCH ${path}_no`, { status: 404, headers: condition, body: second }),
  ];
}

export const preconditions: Table = {
  noun: "preconditions",
  rows: [
    { shows: "a bucket", request: "POST /buckets", body: { name: "c_tag", type: "local" }, status: 201 },
    {
      shows: "a model",
      request: "POST /models",
      body: aModel({ name: "c_tag", default_bucket: "c_tag", features: [feature] }),
      status: 201,
    },
    ...rowsOf("/buckets/c_tag", { retention: "100000d" }, { retention: "200000d" }),
    ...rowsOf("/models/c_tag", { max_threshold: 70 }, { max_threshold: 80 }),
    { shows: "tidy up", request: "DELETE /models/c_tag", status: 204 },
    { shows: "tidy up", request: "DELETE /buckets/c_tag", status: 204 },
  ],
};
