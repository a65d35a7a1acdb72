// Contract rows of requests recorded from existing clients: the Grafana app and the Python client.
import { expect } from "bun:test";
import { type Row, refuses, type Table } from "./suite.ts";

const bucket = {
  type: "influxdb",
  name: "c_telegraf_autogen_cpu",
  retention_policy: "autogen",
  database: "telegraf",
  measurement: "cpu",
  addr: "localhost:8086",
};
const model = {
  bucket_interval: "20m",
  default_bucket: bucket.name,
  features: [
    {
      name: "mean_usage",
      measurement: "cpu",
      field: "usage",
      metric: "mean",
      default: null,
      io: "io",
      anomaly_type: "low_high",
      match_all: [{ tag: "host", value: "a" }],
    },
  ],
  interval: "1m",
  max_evals: 20,
  name: "c_grafana",
  offset: "10s",
  span: 10,
  type: "donut",
};
const hook = {
  type: "annotations",
  name: "add_annotation",
  config: { id: null, type: "loudml", bucket: bucket.name },
};
const job = {
  name: "c_job [train]",
  method: "post",
  relative_url: `/models/${model.name}/_train`,
  params: { from: "now-1d", to: "now" },
  every: { count: 1, unit: "day", at: "10:30" },
};
const started = "output_bucket=loudml&save_output_data=true&flag_abnormal_data=true";

const grafana: readonly Row[] = [
  { shows: "a clean start", request: `DELETE /models/${model.name}`, status: [204, 404] },
  {
    shows: "Grafana creates a bucket, without a user",
    request: "POST /buckets",
    body: { ...bucket, username: null, password: null },
    status: 201,
  },
  {
    shows: "and creates it again, as it always does",
    request: "POST /buckets",
    body: { ...bucket, username: "", password: "" },
    status: 201,
  },
  {
    shows: "and reads the first of the list",
    request: `GET /buckets/${bucket.name}`,
    status: 200,
    has: [bucket],
    lacks: ["username"],
  },
  { shows: "Grafana creates a model", request: "POST /models", body: model, status: 201 },
  {
    shows: "and reads it",
    request: `GET /models/${model.name}`,
    status: 200,
    is: [{ settings: model, state: { trained: false } }],
  },
  {
    shows: "and attaches its hook",
    request: `POST /models/${model.name}/hooks`,
    body: hook,
    status: 201,
    is: "success",
  },
  { shows: "and again", request: `POST /models/${model.name}/hooks`, body: hook, status: 201 },
  {
    shows: "Grafana trains with its start options in the query",
    request: `POST /models/${model.name}/_train?from=now-6h&to=now&${started}`,
    status: 200,
    keep: "grafana_job",
    job: "failed",
    jobHas: { code: "bucket_unavailable" },
  },
  {
    shows: "Grafana lists models, jobs and scheduled jobs",
    request: "GET /models",
    status: 200,
    holds: ['"c_grafana"'],
  },
  { shows: "Grafana schedules a job", request: "POST /scheduled_jobs", body: job, status: 201 },
  {
    shows: "and sends back what it got, after an edit",
    request: "POST /scheduled_jobs",
    body: { ...job, next_run_timestamp: 1795089600 },
    status: 201,
  },
  {
    shows: "and deletes it by its name with brackets",
    request: "DELETE /scheduled_jobs/c_job [train]",
    status: 204,
  },
  refuses("Grafana stops a model that is not started", `POST /models/${model.name}/_stop`, { status: 404 }),
];

const json = { "content-type": "application/json" };
const python: readonly Row[] = [
  {
    shows: "the Python client sniffs the nodes",
    request: "GET /_nodes/_all/http",
    headers: json,
    status: 200,
    holds: ["publish_address"],
  },
  {
    shows: "it pages by hundreds until a page is empty",
    request: "GET /jobs?page=0&per_page=100&sort=id:1&fields=result&include_fields=false",
    headers: json,
    status: 200,
    lacks: ['"result"'],
  },
  {
    shows: "as here",
    request: "GET /jobs?page=1000&per_page=100&sort=id:1",
    headers: json,
    status: 200,
    is: [],
  },
  {
    shows: "it polls a job without its result",
    request: "GET /jobs/$grafana_job?include_fields=false&fields=result",
    headers: json,
    status: 200,
    has: [{ state: "failed" }],
  },
  {
    shows: "it fetches the result alone",
    request: "GET /jobs/$grafana_job?include_fields=true&fields=result",
    headers: json,
    status: 200,
    is: [{ result: null }],
  },
  {
    shows: "it asks whether a model is there",
    request: "HEAD /models/c_grafana",
    headers: json,
    status: 200,
    type: null,
  },
  {
    shows: "it tolerates an error, and reads its answer by the type",
    request: "DELETE /models/c_absent",
    headers: json,
    status: 404,
    has: { code: "not_found", error: expect.any(String) },
  },
  {
    shows: "a client that asks for problem details gets them as such",
    request: "GET /models/c_absent",
    headers: { accept: "application/json, application/problem+json" },
    status: 404,
    type: "application/problem+json",
  },
  {
    shows: "it reads the versions",
    request: "GET /models/c_grafana/versions?include_fields=False&page=0&per_page=100&sort=None",
    headers: json,
    status: 200,
    is: [],
  },
  {
    shows: "it lists names of buckets",
    request: "GET /buckets?fields=name&include_fields=true&page=0&per_page=100&sort=name:1",
    headers: json,
    status: 200,
    holds: ["c_telegraf_autogen_cpu"],
  },
  refuses(
    "it sends booleans as Python writes them, and empty bodies as JSON",
    "POST /models/c_grafana/_eval?from=now-1d&to=now&bg=True&flag_abnormal_data=True",
    { code: "not_trained", headers: json },
  ),
  { shows: "it deletes", request: "DELETE /models/c_grafana", headers: json, status: 204 },
  { shows: "and cleans up", request: `DELETE /buckets/${bucket.name}`, headers: json, status: 204 },
];

export const clients: Table = { noun: "clients", rows: [...grafana, ...python] };
