// Contract rows of /templates, and of models made from them.
import { type Row, refuses, type Table } from "./suite.ts";

const template = {
  name: "c_{{host}}",
  type: "donut",
  default_bucket: "c_t",
  bucket_interval: "{{interval}}",
  max_threshold: "{{limit}}",
  features: [
    {
      name: "load",
      metric: "avg",
      field: "load",
      match_all: [{ tag: "host", value: "{{host}}" }],
    },
  ],
};
const params = ["host", "interval", "limit"];
const values = { host: "web1", interval: "5m", limit: 70 };
const path = "POST /models?from_template=c_host";

const fillings: readonly [string, unknown, string, string][] = [
  ["one parameter missing", { host: "web1", interval: "5m" }, "limit", "limit: is missing"],
  ["a text for a number", { ...values, limit: "high" }, "max_threshold", "from 0 to 100"],
];

const migrate = "POST /templates/c_host/_migrate";
const features = [{ name: "load", metric: "avg", field: "load" }];
const fleet = { name: "c_fleet", type: "donut", default_bucket: "c_t", bucket_interval: "5m", features };
const series = ["web1", "web2"].map((host) => ({ model: `c_${host}`, series: { host } }));

/** The models are of one shape, so that two of them become a fleet. */
const migration: readonly Row[] = [
  { shows: "another model of it", request: path, body: { ...values, host: "web2" }, status: 201 },
  { shows: "one that differs", request: path, body: { ...values, host: "web3", limit: 80 }, status: 201 },
  refuses("a fleet of an unknown template", "POST /templates/c_bad/_migrate", { status: 404, body: {} }),
  refuses("a fleet of an unknown model", migrate, { status: 404, body: { models: ["c_no"] } }),
  refuses("a fleet of a name that is taken", migrate, {
    status: 409,
    code: "already_exists",
    body: { name: "c_web1" },
    holds: ["choose another name"],
  }),
  refuses("a fleet by a tag of no model", migrate, {
    path: "group_by",
    body: { group_by: ["rack"] },
    holds: ["none has rack, they have host"],
  }),
  refuses("an unknown key", migrate, {
    path: "group-by",
    body: { "group-by": ["host"] },
    holds: ["did you mean group_by?"],
  }),
  refuses("no list", migrate, { path: "body", body: [] }),
  refuses("models of which no two fit", migrate, {
    path: "models",
    body: { models: ["c_web1", "c_web3"] },
    holds: ["c_web3 differs from the others in max_threshold"],
  }),
  {
    shows: "the plan of a fleet",
    request: migrate,
    body: { name: "c_fleet", dry_run: true },
    status: 200,
    has: { dry_run: true, model: "c_fleet", series, live: 0 },
  },
  { shows: "a plan changes nothing", request: "HEAD /models/c_fleet", status: 404, type: null },
  {
    shows: "a fleet of the models that fit",
    request: migrate,
    body: { name: "c_fleet", delete: true },
    status: 200,
    is: {
      model: "c_fleet",
      dry_run: false,
      settings: { ...fleet, max_threshold: 70, group_by: ["host"], expected_false_alarms_per: "series" },
      group_by: ["host"],
      series,
      left: [{ model: "c_web3", reason: "differs from the others in max_threshold" }],
      anomalies: 0,
      labels: 0,
      hooks: [],
      not_copied: [],
      live: 0,
      deleted: 2,
      next: "train it: POST /models/c_fleet/_train?from=now-30d, then start it: POST /models/c_fleet/_start",
    },
  },
  { shows: "single models are deleted", request: "HEAD /models/c_web1", status: 404, type: null },
  { shows: "tidy up", request: "DELETE /models/c_fleet;c_web3", status: 204, type: null },
];

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /templates/c_host", status: [204, 404] },
  { shows: "a clean start", request: "DELETE /models/c_web1", status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_t", type: "local" }, status: 201 },
  { shows: "create", request: "POST /templates?name=c_host", body: template, status: 201, is: "success" },
  refuses("create it again", "POST /templates?name=c_host", {
    status: 409,
    code: "already_exists",
    body: template,
  }),
  refuses("a name is needed", "POST /templates", { path: "name", body: template }),
  refuses("a good one", "POST /templates?name=a/b", { path: "name", body: template }),
  refuses("an unknown key", "POST /templates?name=c_bad", {
    path: "max_treshold",
    body: { ...template, max_treshold: "{{x}}" },
    holds: ["did you mean max_threshold?"],
  }),
  { shows: "nothing was created by these", request: "HEAD /templates/c_bad", status: 404, type: null },
  {
    shows: "names in the order of the URL, with the parameters found",
    request: "GET /templates/c_host;c_host",
    status: 200,
    is: Array.from({ length: 2 }, () => ({ name: "c_host", settings: template, params })),
  },
  refuses("an unknown one among them", "GET /templates/c_host;c_bad", { status: 404, holds: ["c_bad"] }),
  { shows: "HEAD", request: "HEAD /templates/c_host", status: 200 },
  {
    shows: "fields",
    request: "GET /templates/c_host?fields=name;params&include_fields=true",
    status: 200,
    is: [{ name: "c_host", params }],
  },
  { shows: "all of them", request: "GET /templates", status: 200, holds: ['"name":"c_host"'] },
  { shows: "past the end", request: "GET /templates?page=1000", status: 200, is: [] },
  refuses("no PATCH", "PATCH /templates/c_host", { status: 405, body: {}, holds: ["DELETE, GET, HEAD"] }),
  ...fillings.map(([shows, body, at, text]) =>
    refuses(`a model of it needs more than ${shows}`, path, { path: at, body, holds: [text] }),
  ),
  { shows: "an unknown template", request: "POST /models?from_template=c_bad", body: values, status: 404 },
  { shows: "a model of it", request: path, body: values, status: 201, is: "success" },
  { shows: "the same again", request: path, body: values, status: 409 },
  {
    shows: "the model is as if written by hand",
    request: "GET /models/c_web1",
    status: 200,
    has: [
      {
        settings: {
          name: "c_web1",
          bucket_interval: "5m",
          max_threshold: 70,
          features: [{ match_all: [{ tag: "host", value: "web1" }] }],
        },
      },
    ],
    lacks: ["{{"],
  },
  ...migration,
  { shows: "one more model", request: path, body: { ...values, host: "web4" }, status: 201, is: "success" },
  { shows: "delete", request: "DELETE /templates/c_host", status: 204, type: null },
  { shows: "it is gone", request: "DELETE /templates/c_host", status: 404 },
  { shows: "a model of it is not", request: "DELETE /models/c_web4", status: 204, type: null },
  { shows: "leave nothing", request: "DELETE /buckets/c_t", status: 204, type: null },
];

export const templates: Table = { noun: "templates", rows };
