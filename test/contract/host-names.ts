// Contract rows of names that are hosts with a port: bucket, template, model and hook.
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const host = "web-1.example.org:9100";
const escaped = encodeURIComponent(host);
const other = "web-2.example.org:9100";
const features = [{ name: "load", metric: "avg", field: "load", bucket: host }];
const settings = { name: host, type: "donut", bucket_interval: "1h", span: 12, features };
const points = dailyWave(20);
const hook = { type: "annotations", name: host, config: { type: "anomaly", bucket: host } };
const names = `${host};${escaped}`;
const saved = `save_output_data=true&output_bucket=${escaped}`;

const rows: readonly Row[] = [
  { shows: "a clean start", request: `DELETE /models/${host}`, status: [204, 404] },
  { shows: "a clean start", request: `DELETE /models/${other}`, status: [204, 404] },
  { shows: "a clean start", request: `DELETE /templates/${host}`, status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: host, type: "local" }, status: 201 },
  {
    shows: "its points",
    request: `POST /buckets/${escaped}/_write`,
    body: points,
    status: 202,
    job: "done",
  },
  { shows: "line protocol", request: "GET /ping", status: 204, type: null },
  {
    shows: "a line of line protocol",
    request: `POST /write?db=${escaped}`,
    body: "m load=1 1700000000000000000",
    headers: { "content-type": "text/plain" },
    status: 204,
    type: null,
  },
  {
    shows: "the bucket, raw and escaped in one list",
    request: `GET /buckets/${names}`,
    status: 200,
    is: [
      { name: host, type: "local" },
      { name: host, type: "local" },
    ],
  },
  {
    shows: "a template",
    request: `POST /templates?name=${escaped}`,
    body: { ...settings, name: "{{host}}" },
    status: 201,
  },
  {
    shows: "a model of the template",
    request: `POST /models?from_template=${host}`,
    body: { host },
    status: 201,
  },
  {
    shows: "another one",
    request: `POST /models?from_template=${escaped}`,
    body: { host: other },
    status: 201,
  },
  {
    shows: "a list of both",
    request: `GET /models/${escaped};${other}`,
    status: 200,
    has: [{ settings }, { settings: { name: other } }],
  },
  {
    shows: "sorted lists know them",
    request: "GET /models?fields=settings&include_fields=1&sort=settings.name:-1&per_page=100",
    status: 200,
    holds: [`"name":"${host}"`, `"name":"${other}"`],
  },
  {
    shows: "train",
    request: `POST /models/${host}/_train?from=0&to=${20 * 86_400}&max_evals=1&epochs=2`,
    status: 200,
    keep: "trained_host",
    job: "done",
    jobHas: { model: host },
  },
  {
    shows: "its jobs",
    request: `GET /models/${escaped}/training`,
    status: 200,
    has: { model: host, state: "done" },
  },
  {
    shows: "evaluate and save into the bucket of that name",
    request: `POST /models/${host}/_eval?from=${18 * 86_400}&to=${19 * 86_400}&detect_anomalies=1&${saved}`,
    status: 200,
    holds: ['"upper_load"', '"stats"'],
  },
  {
    shows: "what was saved carries its name as a tag",
    request: `GET /buckets/${host}/_explore`,
    status: 200,
    holds: [`"values":["${host}"]`],
  },
  {
    shows: "forecast",
    request: `POST /models/${escaped}/_forecast?from=${19 * 86_400}&to=${20 * 86_400}`,
    status: 200,
    holds: ['"lower_load"'],
  },
  { shows: "a version of it", request: `HEAD /models/${host}/versions/00`, status: 200, type: null },
  {
    shows: "its network; the name of the file holds the model's",
    request: `GET /models/${escaped}/_export`,
    status: 200,
    type: "application/octet-stream",
    holds: [`filename=\\"${host}-00-load.onnx\\"`, host],
  },
  {
    shows: "a bundle",
    request: `GET /models/${host}/_export?format=bundle`,
    status: 200,
    has: { settings: { name: host } },
  },
  { shows: "attach a hook", request: `PUT /models/${host}/hooks`, body: hook, status: 201 },
  { shows: "its name", request: `GET /models/${host}/hooks`, status: 200, is: [host] },
  { shows: "the hook", request: `GET /models/${escaped}/hooks/${escaped}`, status: 200, is: hook },
  { shows: "try it", request: `POST /models/${host}/hooks/${host}/_test`, status: 200, is: "success" },
  {
    shows: "its deliveries",
    request: `GET /models/${host}/hooks/${escaped}/deliveries`,
    status: 200,
    has: [{ event: "anomaly_end" }, { event: "anomaly_start" }],
    holds: [`start/${host}`],
  },
  { shows: "watch", request: `POST /models/${escaped}/_start?detect_anomalies=true`, status: 204 },
  { shows: "it is live", request: `GET /models/${host}`, status: 200, holds: ['"live":{'] },
  refuses("the bucket is in use", `DELETE /buckets/${escaped}`, { status: 409, code: "bucket_in_use" }),
  { shows: "its anomalies", request: `GET /models/${escaped}/anomalies`, status: 200, is: [] },
  { shows: "stop", request: `POST /models/${host}/_stop`, status: 204 },
  {
    shows: "a scheduled job of it",
    request: "POST /scheduled_jobs",
    body: {
      name: `train ${host}`,
      method: "post",
      relative_url: `/models/${host}/_train`,
      params: { from: "now-1d" },
      every: { unit: "day", at: "03:00" },
    },
    status: 201,
  },
  {
    shows: "the scheduled job",
    request: `GET /scheduled_jobs/train+${escaped}`,
    status: 200,
    has: [{ relative_url: `/models/${host}/_train` }],
  },
  { shows: "tidy up", request: `DELETE /scheduled_jobs/train%20${host}`, status: 204 },
  { shows: "delete the hook", request: `DELETE /models/${host}/hooks/${escaped}`, status: 200 },
  { shows: "delete the models", request: `DELETE /models/${escaped};${other}`, status: 204 },
  { shows: "delete the template", request: `DELETE /templates/${host}`, status: 204 },
  { shows: "delete the bucket", request: `DELETE /buckets/${host}`, status: 204 },
  { shows: "it is gone", request: `GET /models/${host}`, status: 404, holds: [host] },
  refuses("a dot alone is no name", "POST /buckets", {
    path: "name",
    body: { name: ".", type: "local" },
    holds: ["not . or .. alone"],
  }),
  refuses("two dots are no name", "POST /models", { path: "name", body: { ...settings, name: ".." } }),
  refuses("a feature is not called so: its name is a key of answers", "POST /models", {
    path: "features.0.name",
    body: { ...settings, name: "c_f", features: [{ ...features[0], name: host }] },
  }),
];

export const hostNames: Table = { noun: "names that are hosts", rows };
