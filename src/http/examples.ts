// An example per operation, shown in the API's documentation and sent for real by its test.

export interface ApiExample {
  /** JSON body. */
  readonly request?: unknown;
  /** Body of a good answer. */
  readonly response?: unknown;
  /** Content type of the answer, where it is not JSON. */
  readonly type?: string;
}

const bucket = { name: "metrics", type: "local" };
const feature = { name: "avg_load", metric: "avg", field: "load" };
const settings = {
  name: "load",
  type: "donut",
  default_bucket: "metrics",
  bucket_interval: "5m",
  features: [feature],
};
const model = { settings, state: { trained: true, loss: -0.4, span: 120, points: 8640 } };
const jobId = "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10";
const job = {
  id: jobId,
  type: "training",
  state: "done",
  result: null,
  model: "load",
  duration: 12.6,
  start_date: "2026-01-31T12:00:00.000Z",
  start_timestamp: 1769860800,
  end_date: "2026-01-31T12:00:12.600Z",
  end_timestamp: 1769860812.6,
};
const template = { ...settings, name: "load_{{host}}", features: [{ ...feature, field: "{{field}}" }] };
const hook = { type: "annotations", name: "marks", config: { type: "anomaly", bucket: "metrics" } };
const delivery = {
  id: `${jobId}:start/marks`,
  event: "anomaly_start",
  anomaly: jobId,
  type: "annotations",
  state: "waiting",
  attempts: 1,
  error: "InfluxDB at localhost:8086: refused the connection; is it running, and is the port right?",
  created_date: "2026-01-31T12:00:00.000Z",
  created_timestamp: 1769860800,
  next_attempt_date: "2026-01-31T12:00:02.000Z",
  next_attempt_timestamp: 1769860802,
};
const { name: _hookName, ...namedHook } = hook;
const scheduledJob = {
  name: "train load",
  method: "post",
  relative_url: "/models/load/_train",
  params: { from: "now-30d" },
  every: { unit: "day", at: "03:00" },
};
const prediction = {
  timestamps: [1769860800],
  observed: { avg_load: [0.42] },
  predicted: { avg_load: [0.4], lower_avg_load: [0.35], upper_avg_load: [0.45] },
};
const episode = {
  id: jobId,
  model: "load",
  start: 1769860800,
  end: 1769862600,
  peak_score: 93.4,
  features: {
    avg_load: { type: "high", score: 81.2, observed: 3.9, predicted: 0.4, lower: 0.35, upper: 0.45 },
  },
  peak: { avg_load: { type: "high", score: 93.4, observed: 5.2, predicted: 0.4, lower: 0.35, upper: 0.45 } },
};
const stat = { score: 3.1, anomaly: false, anomalies: {}, mse: 0.01, nll: -1.2 };

/** By method and path, as the routes write them. */
export const examples: Readonly<Record<string, ApiExample>> = {
  "GET /": {
    response: {
      version: "2.0.0",
      tagline: "Anomaly detection and forecasting for time series",
      host_id: jobId,
    },
  },
  "GET /_nodes/:node/http": {
    response: { _nodes: { total: 1, successful: 1, failed: 0 }, cluster_name: "torus", nodes: {} },
  },
  "GET /buckets": { response: [bucket] },
  "POST /buckets": { request: bucket, response: "success" },
  "GET /buckets/:names": { response: [bucket] },
  "PATCH /buckets/:names": { request: { retention: "30d" } },
  "DELETE /buckets/:names": {},
  "POST /buckets/:names/_write": {
    request: [{ timestamp: 1769860800, load: 0.42, tags: { host: "a" } }],
    response: jobId,
  },
  "POST /buckets/:names/_read": {
    request: { from: "now-1h", to: "now", bucket_interval: "5m", features: "avg(load);count(load)" },
    response: jobId,
  },
  "POST /buckets/:names/_clear": {},
  "GET /models": { response: [model] },
  "POST /models": { request: settings, response: "success" },
  "GET /models/:names": { response: [model] },
  "PATCH /models/:names": { request: { max_threshold: 70, min_threshold: 50 } },
  "DELETE /models/:names": {},
  "GET /models/:names/versions": { response: [{ ...model, version: { name: "00", active: true } }] },
  "GET /models/:names/versions/:version": { response: { ...model, version: { name: "00", active: true } } },
  "POST /models/:names/_restore": { request: { version: "00" } },
  "POST /models/:names/_train": { request: { from: "now-30d", to: "now" }, response: jobId },
  "GET /models/:names/training": { response: job },
  "POST /models/:names/_forecast": { request: { from: "now", to: "now+1d" }, response: prediction },
  "POST /models/:names/_eval": {
    request: { from: "now-1d", to: "now", detect_anomalies: true },
    response: { ...prediction, stats: [stat] },
  },
  "POST /models/:names/_start": { request: { detect_anomalies: true } },
  "POST /models/:names/_stop": {},
  "GET /models/:names/anomalies": { response: [episode] },
  "GET /anomalies": { response: [episode] },
  "GET /models/:names/hooks": { response: ["marks"] },
  "PUT /models/:names/hooks": { request: hook, response: "success" },
  "POST /models/:names/hooks": { request: hook, response: "success" },
  "GET /models/:names/hooks/:hook": { response: hook },
  "PUT /models/:names/hooks/:hook": { request: namedHook, response: "success" },
  "POST /models/:names/hooks/:hook": { request: namedHook, response: "success" },
  "DELETE /models/:names/hooks/:hook": { response: "success" },
  "POST /models/:names/hooks/:hook/_test": { response: "success" },
  "GET /models/:names/hooks/:hook/deliveries": { response: [delivery] },
  "GET /templates": { response: [{ name: "host_load", settings: template, params: ["field", "host"] }] },
  "POST /templates": { request: template, response: "success" },
  "GET /templates/:names": {
    response: [{ name: "host_load", settings: template, params: ["field", "host"] }],
  },
  "DELETE /templates/:names": {},
  "GET /jobs": { response: [job] },
  "GET /jobs/:names": { response: [job] },
  "POST /jobs/:names/_cancel": {},
  "GET /scheduled_jobs": { response: [{ ...scheduledJob, next_run_timestamp: 1769914800 }] },
  "POST /scheduled_jobs": { request: scheduledJob, response: "success" },
  "DELETE /scheduled_jobs": {},
  "GET /scheduled_jobs/:names": {
    response: [
      {
        ...scheduledJob,
        ok: true,
        status_code: 200,
        last_run_timestamp: 1769828400,
        next_run_timestamp: 1769914800,
      },
    ],
  },
  "PATCH /scheduled_jobs/:names": { request: { every: { cron: "0 3 * * 1-5" } } },
  "DELETE /scheduled_jobs/:names": {},
  "GET /openapi.json": { response: { openapi: "3.1.0" } },
  "GET /docs": { type: "text/html", response: "<!doctype html>" },
};
