// The id of each operation and an example of it, shown in the API's documentation and sent for real by its test.
export interface ApiExample {
  /** `operationId`: generated clients call their function so. */
  readonly id: string;
  /** Body; JSON unless `accepts` says otherwise. */
  readonly request?: unknown;
  /** Content type of the request, where it is not JSON. */
  readonly accepts?: string;
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
const bundle = {
  format: "torus-model",
  format_version: 1,
  exported_by: "2.0.0",
  settings,
  version: {
    name: "00",
    from: 1767268800,
    to: 1769860800,
    summary: { loss: -0.4 },
    settings,
    parameters: {},
    weights: "zczMPQ==",
  },
  checksum: "9f2c3c0f6a5b6d0c1c8a7a3d3a7f5e0b4a2d9e8c7b6a5f4e3d2c1b0a9f8e7d6c",
};
const model = {
  settings,
  state: { trained: true, loss: -0.4, span: 120, points: 8640, forecaster: "seasonal", forecast_error: 0.7 },
};
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
const selector = { models: ["load*"], tags: { host: "web-*" } };
const globalHook = { ...hook, selector };
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
  origin: "live",
  start: 1769860800,
  end: 1769862600,
  peak_score: 93.4,
  features: {
    avg_load: { type: "high", score: 81.2, observed: 3.9, predicted: 0.4, lower: 0.35, upper: 0.45 },
  },
  peak: { avg_load: { type: "high", score: 93.4, observed: 5.2, predicted: 0.4, lower: 0.35, upper: 0.45 } },
};
const stat = { score: 3.1, anomaly: false, anomalies: {}, mse: 0.01, nll: -1.2, range_score: 2.4 };

const hours = [32, 33, 31, 32, 34, 32, 31, 33, 32, 31, 33, 32].map((value, i) => ({
  timestamp: new Date(Date.UTC(2026, 0, 31, 12 + i)).toISOString(),
  value,
}));

const token = {
  name: "grafana",
  scope: "read",
  created_date: "2026-01-31T12:00:00.000Z",
  created_timestamp: 1769860800,
  expires_date: "2026-05-01T12:00:00.000Z",
  expires_timestamp: 1777636800,
};

const firstToken = {
  name: "ops",
  scope: "admin",
  created_date: token.created_date,
  created_timestamp: token.created_timestamp,
};

/** By method and path, as the routes write them. */
export const examples: Readonly<Record<string, ApiExample>> = {
  "GET /": {
    id: "getRoot",
    response: {
      version: "2.0.0",
      tagline: "Anomaly detection and forecasting for time series",
      host_id: jobId,
    },
  },
  "GET /livez": { id: "getLiveness", response: { alive: true } },
  "GET /readyz": {
    id: "getReadiness",
    response: {
      ready: true,
      checks: { storage: { ok: true }, live: { ok: true }, workers: { ok: true }, connections: { ok: true } },
    },
  },
  "GET /_backup": { id: "getBackup", type: "application/x-tar" },
  "GET /metrics": { id: "getMetrics", type: "text/plain; version=0.0.4; charset=utf-8" },
  "GET /_nodes/:node/http": {
    id: "getNodes",
    response: { _nodes: { total: 1, successful: 1, failed: 0 }, cluster_name: "torus", nodes: {} },
  },
  "GET /buckets": { id: "listBuckets", response: [bucket] },
  "POST /buckets": { id: "putBucket", request: bucket, response: "success" },
  "GET /buckets/:names": { id: "getBuckets", response: [bucket] },
  "PATCH /buckets/:names": { id: "changeBuckets", request: { retention: "30d" } },
  "DELETE /buckets/:names": { id: "deleteBuckets" },
  "POST /buckets/:names/_write": {
    id: "writePoints",
    request: [{ timestamp: 1769860800, load: 0.42, tags: { host: "a" } }],
    response: jobId,
  },
  "POST /buckets/:names/_read": {
    id: "readBucket",
    request: { from: "now-1h", to: "now", bucket_interval: "5m", features: "avg(load);count(load)" },
    response: jobId,
  },
  "POST /buckets/:names/_clear": { id: "clearBucket" },
  "POST /buckets/:names/_test": {
    id: "testBucket",
    response: {
      ok: true,
      duration: 0.004,
      version: "InfluxDB 1.8.10",
      series: 12,
      newest_timestamp: 1769860800,
    },
  },
  "GET /buckets/:names/_explore": {
    id: "exploreBucket",
    response: {
      measurements: [
        {
          name: "cpu",
          fields: [{ name: "load", type: "float" }],
          tags: [{ name: "host", values: ["a", "b"] }],
          first_timestamp: 1767268800,
          last_timestamp: 1769860800,
        },
      ],
      truncated: false,
    },
  },
  "POST /write": { id: "writeLines", accepts: "text/plain", request: "cpu,host=a load=0.42" },
  "POST /api/v2/write": { id: "writeLinesV2", accepts: "text/plain", request: "cpu,host=a load=0.42" },
  "GET /ping": { id: "ping" },
  "GET /query": { id: "queryInflux", response: { results: [{ statement_id: 0 }] } },
  "POST /query": {
    id: "postInfluxQuery",
    accepts: "application/x-www-form-urlencoded",
    request: "q=CREATE DATABASE metrics",
    response: { results: [{ statement_id: 0 }] },
  },
  "GET /models": { id: "listModels", response: [model] },
  "POST /models": { id: "createModel", request: settings, response: "success" },
  "GET /models/:names": { id: "getModels", response: [model] },
  "PATCH /models/:names": { id: "changeModels", request: { max_threshold: 70, min_threshold: 50 } },
  "DELETE /models/:names": { id: "deleteModels" },
  "GET /models/:names/versions": {
    id: "listVersions",
    response: [{ ...model, version: { name: "00", active: true } }],
  },
  "GET /models/:names/versions/:version": {
    id: "getVersion",
    response: { ...model, version: { name: "00", active: true } },
  },
  "POST /models/:names/_restore": { id: "restoreVersion", request: { version: "00" } },
  "POST /models/:names/_train": {
    id: "trainModels",
    request: { from: "now-30d", to: "now" },
    response: jobId,
  },
  "GET /models/:names/training": { id: "getTraining", response: job },
  "POST /models/:names/_forecast": {
    id: "forecastModel",
    request: { from: "now", to: "now+1d" },
    response: prediction,
  },
  "POST /models/:names/_eval": {
    id: "evaluateModel",
    request: { from: "now-1d", to: "now", detect_anomalies: true },
    response: { ...prediction, stats: [stat] },
  },
  "POST /models/:names/_backtest": {
    id: "backtestModel",
    request: {
      from: "now-60d",
      max_evals: 3,
      labels: [{ from: "now-2d", to: "now-47h" }],
    },
    response: jobId,
  },
  "POST /_detect": {
    id: "detectAnomalies",
    request: { series: hours, granularity: "hourly", sensitivity: 95, maxAnomalyRatio: 0.25 },
    response: {
      period: 0,
      missing: 0,
      expectedValues: [32.1],
      upperMargins: [4.2],
      lowerMargins: [4.2],
      isAnomaly: [false],
      isPositiveAnomaly: [false],
      isNegativeAnomaly: [false],
      severity: [0],
      scores: [8.5],
    },
  },
  "POST /_predict": {
    id: "predictSeries",
    request: { series: hours, bucket_interval: "1h", horizon: 2, level: [80] },
    response: {
      period: 0,
      missing: 0,
      timestamps: [1769904000, 1769907600],
      predicted: [32.1, 32.1],
      lower: [30.9, 30.8],
      upper: [33.2, 33.4],
      levels: { "80": { lower: [30.4, 30.2], upper: [33.7, 33.9] } },
      forecast_error: 0.9,
    },
  },
  "GET /models/:names/_export": { id: "exportModel", type: "application/octet-stream" },
  "POST /models/_import": { id: "importModel", request: bundle, response: "success" },
  "POST /models/:names/_start": { id: "startModels", request: { detect_anomalies: true } },
  "POST /models/:names/_stop": { id: "stopModels" },
  "GET /models/:names/anomalies": { id: "listModelAnomalies", response: [episode] },
  "POST /models/:names/anomalies/:id/_feedback": {
    id: "judgeAnomaly",
    request: { anomaly: false, note: "the monthly batch run" },
  },
  "GET /anomalies": { id: "listAnomalies", response: [episode] },
  "GET /models/:names/hooks": { id: "listHooks", response: ["marks"] },
  "PUT /models/:names/hooks": { id: "putHook", request: hook, response: "success" },
  "POST /models/:names/hooks": { id: "attachHook", request: hook, response: "success" },
  "GET /models/:names/hooks/:hook": { id: "getHook", response: hook },
  "PUT /models/:names/hooks/:hook": { id: "replaceHook", request: namedHook, response: "success" },
  "POST /models/:names/hooks/:hook": { id: "changeHook", request: namedHook, response: "success" },
  "DELETE /models/:names/hooks/:hook": { id: "deleteHook", response: "success" },
  "POST /models/:names/hooks/:hook/_test": { id: "testHook", response: "success" },
  "GET /models/:names/hooks/:hook/deliveries": { id: "listDeliveries", response: [delivery] },
  "GET /hooks": { id: "listGlobalHooks", response: ["marks"] },
  "PUT /hooks": { id: "putGlobalHook", request: globalHook, response: "success" },
  "POST /hooks": { id: "createGlobalHook", request: globalHook, response: "success" },
  "GET /hooks/:hook": { id: "getGlobalHook", response: globalHook },
  "PUT /hooks/:hook": {
    id: "replaceGlobalHook",
    request: { ...namedHook, selector },
    response: "success",
  },
  "POST /hooks/:hook": {
    id: "changeGlobalHook",
    request: { ...namedHook, selector },
    response: "success",
  },
  "DELETE /hooks/:hook": { id: "deleteGlobalHook", response: "success" },
  "POST /hooks/:hook/_test": { id: "testGlobalHook", response: "success" },
  "GET /hooks/:hook/deliveries": {
    id: "listGlobalDeliveries",
    response: [{ model: "load", ...delivery }],
  },
  "GET /templates": {
    id: "listTemplates",
    response: [{ name: "host_load", settings: template, params: ["field", "host"] }],
  },
  "POST /templates": { id: "createTemplate", request: template, response: "success" },
  "GET /templates/:names": {
    id: "getTemplates",
    response: [{ name: "host_load", settings: template, params: ["field", "host"] }],
  },
  "DELETE /templates/:names": { id: "deleteTemplates" },
  "POST /_apply": {
    id: "applyResources",
    request: {
      resources: [
        { kind: "bucket", settings: bucket },
        { kind: "model", settings: { ...settings, max_threshold: 80 } },
      ],
    },
    response: {
      set: "default",
      dry_run: false,
      changes: [
        { kind: "bucket", name: "metrics", action: "none" },
        {
          kind: "model",
          name: "load",
          action: "change",
          fields: [{ path: "max_threshold", from: 70, to: 80 }],
        },
      ],
    },
  },
  "GET /jobs": { id: "listJobs", response: [job] },
  "GET /jobs/:names": { id: "getJobs", response: [job] },
  "POST /jobs/:names/_cancel": { id: "cancelJobs" },
  "GET /scheduled_jobs": {
    id: "listScheduledJobs",
    response: [{ ...scheduledJob, next_run_timestamp: 1769914800 }],
  },
  "POST /scheduled_jobs": { id: "putScheduledJob", request: scheduledJob, response: "success" },
  "DELETE /scheduled_jobs": { id: "deleteAllScheduledJobs" },
  "GET /scheduled_jobs/:names": {
    id: "getScheduledJobs",
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
  "PATCH /scheduled_jobs/:names": { id: "changeScheduledJobs", request: { every: { cron: "0 3 * * 1-5" } } },
  "DELETE /scheduled_jobs/:names": { id: "deleteScheduledJobs" },
  "GET /tokens": { id: "listTokens", response: [token] },
  "POST /tokens": {
    id: "createToken",
    request: { name: "ops", scope: "admin" },
    response: { ...firstToken, token: "torus_..." },
  },
  "DELETE /tokens/:names": { id: "deleteTokens" },
  "GET /openapi.json": { id: "getApiDocument", response: { openapi: "3.1.0" } },
  "GET /docs": { id: "getApiPage", type: "text/html", response: "<!doctype html>" },
};
