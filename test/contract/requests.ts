// Contract rows of request rules: lists of names, merged parameters, booleans, methods, on every kind of route.
import { expect } from "bun:test";
import { aModel } from "../support/builders.ts";
import { type Row, refuses, type Table } from "./suite.ts";

const model = aModel({
  name: "c_r",
  default_bucket: "c_rb",
  features: [{ name: "x", metric: "avg", field: "x" }],
});
const template = { ...model, name: "c_r_{{host}}" };
const resources = [{ kind: "bucket", settings: { name: "c_rb", type: "local" } }];
const EPISODE = "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10";

const oneName: [request: string, body?: unknown][] = [
  ["POST /buckets/c_rb;c_rb/_test"],
  ["POST /buckets/c_rb;c_rb/_read"],
  ["GET /models/c_r;c_r/_export"],
  ["GET /models/c_r;c_r/anomalies"],
  ["POST /models/c_r;c_r/_backtest"],
  ["POST /buckets/c_rb;c_rb/_write", []],
  [`POST /models/c_r;c_r/anomalies/${EPISODE}/_feedback`, { anomaly: true }],
  ["POST /templates?name=c_r;c_r", template],
];

const notObjects: [request: string, body: unknown][] = [
  ["POST /buckets/c_rb/_read", [1]],
  ["POST /models/c_r/_backtest", [1]],
  ["POST /models/c_r/_start", []],
];

const badBooleans: [request: string, path: string][] = [
  ["POST /buckets?check=maybe", "check"],
  ["DELETE /buckets/c_rb?force=maybe", "force"],
  ["POST /models/c_r/_forecast?bg=perhaps", "bg"],
  ["POST /models/c_r/_backtest?bg=perhaps", "bg"],
];

const methods: Row[] = [
  ["DELETE /buckets", "GET, HEAD, POST"],
  ["GET /models/c_r/_eval", "POST"],
  ["GET /models/c_r/_start", "POST"],
  ["GET /models/c_r/_backtest", "POST"],
  ["GET /_predict", "POST"],
  ["POST /models/c_r/_export", "GET, HEAD"],
  ["PUT /models/_import", "DELETE, GET, HEAD, PATCH, POST"],
  ["PATCH /models/c_r/hooks/h", "DELETE, GET, HEAD, POST, PUT"],
  ["PATCH /scheduled_jobs", "DELETE, GET, HEAD, POST"],
  [`GET /models/c_r/anomalies/${EPISODE}/_feedback`, "DELETE, POST"],
  ["DELETE /anomalies", "GET, HEAD"],
].map(([request = "", allow]) => ({
  shows: `405 with Allow: ${allow}`,
  request,
  status: 405,
  holds: [`"allow","${allow}"`],
}));

const missing: Row[] = [
  "GET /models/c_no/anomalies",
  "GET /models/c_no/_export",
  "GET /models/_import",
  "POST /models/c_no;c_r/_start",
  "POST /models/c_no/_stop",
  "HEAD /scheduled_jobs/c_no",
].map((request) => ({ shows: "an unknown name", request, status: 404, type: null }));

const apply: Row[] = [
  {
    shows: "apply with set and switches",
    request: "POST /_apply?dry_run=true&prune=1&set=c_web",
    body: { resources },
    status: 200,
    has: { set: "c_web", dry_run: true, changes: [{ kind: "bucket", name: "c_rb", action: "none" }] },
  },
  refuses("apply without a list", "POST /_apply", { body: {}, holds: ["resources: is required"] }),
  refuses("apply of an unknown kind", "POST /_apply", {
    body: { resources: [{ kind: "modle", settings: {} }] },
    holds: ["resources.0.kind: must be one of bucket"],
  }),
  refuses("apply without settings", "POST /_apply", {
    body: { resources: [{ kind: "model" }] },
    holds: ["resources.0.settings: is required"],
  }),
  refuses("apply with an unknown key", "POST /_apply", {
    body: { resources: [{ ...resources[0], secret: "hunter2" }] },
    holds: ["resources.0.secret is unknown"],
    lacks: ["hunter2"],
  }),
  refuses("apply with a bad name of a set", "POST /_apply?set=a/b", { path: "set", body: { resources } }),
  {
    shows: "apply answers all mistakes by index",
    request: "POST /_apply",
    body: {
      resources: [
        { kind: "bucket", settings: { type: "local" } },
        { kind: "model", settings: {} },
      ],
    },
    status: 400,
    has: { mistakes: expect.arrayContaining([{ index: 0, path: "name", message: "is required" }]) },
  },
];

export const requests: Table = {
  noun: "requests",
  rows: [
    { shows: "a bucket to work with", request: "POST /buckets", body: resources[0]!.settings, status: 201 },
    { shows: "a model to work with", request: "POST /models", body: model, status: 201 },
    { shows: "a second model", request: "POST /models", body: { ...model, name: "c_r2" }, status: 201 },
    { shows: "a slash at the end", request: "GET /buckets/", status: 200 },
    refuses("a list with an empty name", "GET /buckets/c_rb;;c_rb", { path: "name" }),
    {
      shows: "nodes with their addresses",
      request: "GET /_nodes/_all/http",
      status: 200,
      holds: ['"roles":["master","compute"]', '"publish_address"', '"cluster_name"'],
    },
    refuses("an indented error", "GET /buckets/c_no?pretty=1", { status: 404, holds: ['\n  "status": 404'] }),
    { shows: "pretty without a value", request: "GET /buckets?pretty", status: 200, lacks: ["\n  "] },
    {
      shows: "a measurement in the query",
      request: "POST /buckets/c_rb/_write?measurement=c_cpu",
      body: [{ timestamp: 30, x: 2 }],
      status: 202,
      job: "done",
    },
    {
      shows: "parameters of the body win over the query",
      request: "POST /buckets/c_rb/_read?from=0&to=7200&bucket_interval=1m",
      body: { to: 60, features: "sum(c_cpu.x)" },
      status: 202,
      job: "done",
      jobHas: { result: { timestamps: [0] } },
    },
    {
      shows: "a plus in a relative date",
      request: "POST /buckets/c_rb/_read?from=now&to=now+1h&bucket_interval=1h&features=count(x)",
      status: 202,
      job: "done",
    },
    {
      shows: "trainings of several models answer several ids",
      request: "POST /models/c_r;c_r2/_train?from=0&to=7200",
      status: 200,
      has: [expect.any(String), expect.any(String)],
    },
    refuses("a model that is not trained cannot be started", "POST /models/c_r/_start", {
      code: "not_trained",
    }),
    refuses("a template without a name", "POST /templates", { path: "name", body: template }),
    refuses("an empty template name means none", "POST /models?from_template=", { body: {} }),
    ...oneName.map(([request, body]) => refuses("one name only", request, { body, holds: ["one name"] })),
    ...notObjects.map(([request, body]) =>
      refuses("a body that is not an object", request, { body, holds: ["must be a JSON object"] }),
    ),
    ...badBooleans.map(([request, path]) => refuses(`a bad boolean: ${path}`, request, { path })),
    ...methods,
    ...missing,
    ...apply,
    { shows: "the models are deleted", request: "DELETE /models/c_r;c_r2", status: 204 },
    { shows: "a boolean in capitals", request: "DELETE /buckets/c_rb?force=True", status: 204 },
  ],
};
