// Examples of models, versions, templates, and series without a model.
import { type ApiExample, feature, job, jobId, settings, version } from "./shared.ts";

const bundle = {
  format: "torus-model",
  format_version: 1,
  exported_by: version,
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
const versionOfModel = {
  settings,
  state: { ...model.state, max_threshold: 55.1, min_threshold: 27.5, threshold_source: "automatic" },
  version: {
    name: "00",
    active: true,
    created_timestamp: 1769860813,
    from: 1767268800,
    to: 1769860800,
  },
};
const template = { ...settings, name: "load_{{host}}", features: [{ ...feature, field: "{{field}}" }] };
const prediction = {
  timestamps: [1769860800],
  observed: { avg_load: [0.42] },
  predicted: { avg_load: [0.4], lower_avg_load: [0.35], upper_avg_load: [0.45] },
};
const stat = { score: 3.1, anomaly: false, anomalies: {}, mse: 0.01, nll: -1.2, range_score: 2.4 };
const fleetSeries = {
  tags: { host: "a", cpu: "0" },
  state: "watched",
  score: 3.1,
  first_seen: 1767268800,
  newest_point: 1769860800,
  last_window: 1769860800,
  fitted: 8640,
};
const label = {
  id: jobId,
  from: 1769860800,
  to: 1769868000,
  anomaly: true,
  note: "the outage",
  created_timestamp: 1769871600,
};
const hours = [32, 33, 31, 32, 34, 32, 31, 33, 32, 31, 33, 32].map((value, i) => ({
  timestamp: new Date(Date.UTC(2026, 0, 31, 12 + i)).toISOString(),
  value,
}));

export const modelsExamples: Readonly<Record<string, ApiExample>> = {
  "GET /models": { id: "listModels", response: [model] },
  "POST /models": { id: "createModel", request: settings, response: "success" },
  "GET /models/:names": { id: "getModels", response: [model] },
  "PATCH /models/:names": { id: "changeModels", request: { max_threshold: 70, min_threshold: 50 } },
  "DELETE /models/:names": { id: "deleteModels" },
  "GET /models/:names/versions": {
    id: "listVersions",
    response: [versionOfModel],
  },
  "GET /models/:names/versions/:version": {
    id: "getVersion",
    response: versionOfModel,
  },
  "POST /models/:names/_restore": { id: "restoreVersion", request: { version: "00" } },
  "POST /models/:names/_train": {
    id: "trainModels",
    request: { from: "now-30d", to: "now" },
    response: jobId,
  },
  "GET /models/:names/training": { id: "getTraining", response: job },
  "GET /models/:names/labels": { id: "listLabels", response: [label] },
  "POST /models/:names/labels": {
    id: "createLabel",
    request: { from: "now-3h", to: "now-1h", anomaly: true, note: "the outage" },
    response: label,
  },
  "DELETE /models/:names/labels/:id": { id: "deleteLabel" },
  "GET /models/:names/_series": {
    id: "getSeries",
    response: {
      load: {
        from: 1769860800,
        step: 600,
        bucket_interval: 300,
        cells: 2,
        thresholds: { max: 70, min: 50 },
        features: { avg_load: { min: [0.41, null], mean: [0.42, null], max: [0.43, null] } },
        episodes: [],
      },
    },
  },
  "GET /models/:names/series": { id: "listFleetSeries", response: [fleetSeries] },
  "GET /models/:names/series/:series": {
    id: "getFleetSeries",
    response: { ...fleetSeries, live: { lag: 12 } },
  },
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
  "POST /buckets/:names/_detect": {
    id: "detectBucketAnomalies",
    request: {
      feature: { metric: "avg", measurement: "cpu", field: "load" },
      bucket_interval: "5m",
      from: "now-1d",
    },
    response: {
      bucket_interval: 300,
      from: 1769774400,
      step: 300,
      cells: 1,
      found: 1,
      points: 5,
      oldest: 1769774400,
      newest: 1769774400,
      period: 0,
      min: [0.42],
      mean: [0.42],
      max: [0.42],
      anomalies: [],
    },
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
      runs: [],
    },
  },
  "POST /_predict": {
    id: "predictSeries",
    request: {
      series: hours,
      bucket_interval: "1h",
      horizon: 2,
      level: [80],
      timezone: "Europe/Berlin",
      holidays: { country: "DE", region: "BE" },
      min: 0,
    },
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
  "POST /templates/:names/_migrate": {
    id: "migrateTemplate",
    request: { name: "hosts", group_by: ["host"], delete: true },
    response: {
      model: "hosts",
      dry_run: false,
      settings: { ...settings, name: "hosts", group_by: ["host"] },
      group_by: ["host"],
      series: [
        { model: "load_a", series: { host: "a" } },
        { model: "load_b", series: { host: "b" } },
      ],
      left: [{ model: "load_c", reason: "differs from the others in bucket_interval" }],
      anomalies: 12,
      labels: 3,
      hooks: ["ops"],
      not_copied: [],
      live: 2,
      deleted: 2,
      train_from: 1767268800,
      next: "train it: POST /models/hosts/_train?from=2026-01-01T12:00:00.000Z, then start it: POST /models/hosts/_start",
    },
  },
};
