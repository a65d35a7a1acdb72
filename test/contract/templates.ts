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
  { shows: "delete", request: "DELETE /templates/c_host", status: 204, type: null },
  { shows: "it is gone", request: "DELETE /templates/c_host", status: 404 },
  { shows: "the model is not", request: "DELETE /models/c_web1", status: 204, type: null },
  { shows: "leave nothing", request: "DELETE /buckets/c_t", status: 204, type: null },
];

export const templates: Table = { noun: "templates", rows };
