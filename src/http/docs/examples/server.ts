// Examples of root, health, backup, apply, tokens, documentation.
import { type ApiExample, bucket, jobId, settings, version } from "./shared.ts";

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

export const serverExamples: Readonly<Record<string, ApiExample>> = {
  "GET /": {
    id: "getRoot",
    response: {
      version,
      tagline: "Anomaly detection and forecasting for time series",
      host_id: jobId,
    },
  },
  "GET /bin": {
    id: "listBin",
    response: [
      {
        id: jobId,
        kind: "model",
        name: "load",
        deleted_date: "2026-01-31T12:00:00.000Z",
        deleted_timestamp: 1769860800,
        deleted_by: "ops",
        expires_date: "2026-02-07T12:00:00.000Z",
        expires_timestamp: 1770465600,
        bytes: 52_480,
      },
    ],
  },
  "POST /bin/:names/_restore": {
    id: "restoreBinEntries",
    response: [{ kind: "model", name: "load", live: true }],
  },
  "DELETE /bin/:names": { id: "deleteBinEntries" },
  "PUT /external_url": { id: "putExternalUrl", request: { url: "https://torus.example.org" } },
  "GET /session": {
    id: "getSession",
    response: {
      auth: true,
      scope: "read",
      name: "grafana",
      expires_date: token.expires_date,
      expires_timestamp: token.expires_timestamp,
      version,
      started_timestamp: 1769860800,
      timezone: "UTC",
      external_url: "https://torus.example.org",
      hooks: { mail: true, exec: false, private_networks: false },
      bin_seconds: 604_800,
      limits: {
        body_bytes: 16_777_216,
        body_depth: 64,
        points_per_write: 500_000,
        values_per_read: 5_000_000,
        values_per_evaluation: 1_000_000,
        values_per_forecast: 100_000,
        points_per_series: 100_000,
      },
    },
  },
  "GET /kinds": {
    id: "listKinds",
    response: {
      buckets: [{ type: "local", description: "Points in the data directory", settings: { type: "object" } }],
      hooks: [],
      models: [{ type: "donut", settings: { type: "object" } }],
      metrics: [{ name: "avg", aliases: ["mean", "average"], description: "Mean of the values" }],
    },
  },
  "GET /livez": { id: "getLiveness", response: { alive: true } },
  "GET /readyz": {
    id: "getReadiness",
    response: {
      ready: true,
      checks: {
        storage: { ok: true },
        live: { ok: true },
        workers: { ok: true },
        connections: { ok: true },
        buckets: { ok: true },
      },
    },
  },
  "GET /_backup": { id: "getBackup", type: "application/x-tar" },
  "GET /metrics/models": { id: "getModelMetrics", type: "text/plain; version=0.0.4; charset=utf-8" },
  "GET /metrics": { id: "getMetrics", type: "text/plain; version=0.0.4; charset=utf-8" },
  "GET /_nodes/:node/http": {
    id: "getNodes",
    response: { _nodes: { total: 1, successful: 1, failed: 0 }, cluster_name: "torus", nodes: {} },
  },
  "GET /_cluster": {
    id: "getCluster",
    response: {
      name: "torus",
      shared: true,
      answered_by: jobId,
      shards_without_owner: 0,
      synchronous: true,
      nodes: [
        {
          id: jobId,
          name: "torus-0",
          host: "host-a",
          address: "host-a:8077",
          version,
          work: ["live", "jobs"],
          shards: 1024,
          lease_seconds: 4.2,
          clock_skew_seconds: 0.003,
          started_timestamp: 1769860800,
        },
      ],
    },
  },
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
  "GET /tokens": { id: "listTokens", response: [token] },
  "POST /tokens": {
    id: "createToken",
    request: { name: "ops", scope: "admin" },
    response: { ...firstToken, token: "torus_..." },
  },
  "DELETE /tokens/:names": { id: "deleteTokens" },
  "POST /mcp": {
    id: "answerMcpMessage",
    request: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_models", arguments: { state: ["anomaly"] } },
    },
    response: {
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [{ type: "text", text: "1 model, 1 on this page; by state: 1 anomaly, 4 live." }],
        structuredContent: {
          models: [
            {
              name: "load",
              state: "anomaly",
              last_window: "2026-01-31T12:00:00Z",
              score: 99.2,
              anomaly: { id: jobId, start: "2026-01-31T11:55:00Z", peak_score: 99.2, severity: "critical" },
            },
          ],
          total: 1,
          page: 0,
          left_out: 0,
        },
      },
    },
  },
  "GET /openapi.json": { id: "getApiDocument", response: { openapi: "3.1.0" } },
  "GET /docs": { id: "getApiPage", type: "text/html", response: "<!doctype html>" },
};
