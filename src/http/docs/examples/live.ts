// Examples of live detection, anomalies and hooks.
import { type ApiExample, jobId } from "./shared.ts";

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
const episode = {
  id: jobId,
  model: "load",
  origin: "live",
  start: 1769860800,
  end: 1769862600,
  peak_score: 93.4,
  severity: "warning",
  features: {
    avg_load: { type: "high", score: 81.2, observed: 3.9, predicted: 0.4, lower: 0.35, upper: 0.45 },
  },
  peak: { avg_load: { type: "high", score: 93.4, observed: 5.2, predicted: 0.4, lower: 0.35, upper: 0.45 } },
};

const inRange = {
  from: 1769857200,
  to: 1769862600,
  watched: 12,
  moved: 3,
  summary:
    "The most probable cause is latency of db (71 %): moved 3 min before it, shares host=db-1. 1 more moved with it.",
  related: [
    {
      model: "db",
      feature: "latency",
      type: "high",
      start: 1769860680,
      onset: 1769860620,
      rarity: 8.1,
      confidence: 0.71,
      chance: 0.01,
      shared: { host: "db-1" },
      past: { times: 0, days: 30 },
      reasons: ["moved 3 min before it", "shares host=db-1", "never deviated this much in 30 days before"],
    },
  ],
};
const related = {
  ...inRange,
  anomaly: { id: jobId, model: "load", onset: 1769860800, confidence: 0.12 },
  related: inRange.related.map((one) => ({ ...one, lead: 180 })),
};
const attributed = {
  ...{ id: "web-1.9.2", kind: "deploy", title: "web 1.9.2", at: 1769860560, delay: 240 },
  ...{ shared: { service: "web" }, history: { followed: 3, of: 5 } },
};

const incident = {
  ...{ start: episode.start, end: episode.end, severity: episode.severity, id: episode.id },
  ...{ summary: "load too high: 30 000, not 1.2", models: ["load"], anomalies: 1, anomaly: true },
  worst: { model: "load", peak: episode.peak },
};
const proposal = {
  summary: "max_threshold 72 instead of 60: would have spared 11 of 14, 0 of 1 confirmed",
  ...{ method: "PATCH", path: "/models/load", body: { max_threshold: 72 }, silenced: 11 },
};

const errorBudget = {
  ...{ model: "web", feature: "burn", objective: 0.999, window: 2_592_000 },
  ...{ remaining: 0.62, bad: 3283, total: 8_640_000 },
  rates: { "1h": 0.4, "6h": 0.5, "1d": 1.2, "3d": 0.9 },
  burn: null,
  exhaustion: { outlook: "not_within_window" },
  ...{ missing: 0, impossible: 0 },
  reasons: [
    "62 % of the error budget is left: 3.28 k of 8.64 M were bad, 8.64 k may be",
    "at this rate it lasts",
  ],
  made: 1764950400,
};

export const liveExamples: Readonly<Record<string, ApiExample>> = {
  "POST /models/:names/_start": { id: "startModels", request: { detect_anomalies: true } },
  "POST /models/:names/_stop": { id: "stopModels" },
  "GET /models/:names/anomalies": { id: "listModelAnomalies", response: [episode] },
  "POST /models/:names/anomalies/:id/_feedback": {
    id: "judgeAnomaly",
    request: { anomaly: false, note: "the monthly batch run" },
  },
  "GET /events": {
    id: "followEvents",
    type: "text/event-stream",
    response:
      'id: mc8x1.7\nevent: live\ndata: {"model":"load","window":1769860800,"outcome":"ok","score":3.1}\n\n',
  },
  "DELETE /models/:names/anomalies/:id/_feedback": { id: "withdrawFeedback" },
  "GET /anomalies/_lanes": {
    id: "getLanes",
    response: {
      from: 1769860800,
      step: 3600,
      cells: 3,
      lanes: [{ model: "load", count: 1, peak_score: 93.4, peaks: [null, 93.4, null] }],
    },
  },
  "GET /anomalies/:id": {
    id: "getAnomaly",
    response: {
      ...episode,
      changes: [attributed],
      deliveries: [{ model: "load", hook: "marks", ...delivery }],
    },
  },
  "GET /anomalies/:id/related": { id: "getRelated", response: related },
  "GET /related": { id: "listRelated", response: inRange },
  "GET /now": {
    id: "getNow",
    response: {
      at: 1764003000,
      states: { anomaly: 1, live: 12 },
      anomalies: { total: 1, list: [{ ...episode, end: null }] },
      unjudged: { total: 0, list: [] },
      sources: [],
      failing: { total: 0, list: [] },
      silent: { total: 1, list: [{ model: "disk", since: 1764001000 }] },
      silent_series: [{ model: "hosts", series: 2 }],
      bounds: { total: 0, list: [] },
    },
  },
  "GET /budgets": { id: "listBudgets", response: [errorBudget] },
  "GET /models/:names/budgets": {
    id: "getModelBudgets",
    response: [{ ...errorBudget, days: [{ date: "2025-12-05", bad: 52, total: 288_000, consumed: 0.006 }] }],
  },
  "GET /capacity": {
    id: "listCapacity",
    response: [
      {
        model: "disk",
        series: { host: "a", path: "/var" },
        feature: "used_percent",
        unit: "%",
        limit: { value: 100, type: "high", source: "unit" },
        now: 81.2,
        per_day: 1.6,
        predictable: true,
        date: 1765020000,
        earliest: 1764890000,
        latest: 1765190000,
        backtest: { right: 14, of: 16 },
        reasons: [
          "rises by 1.6 % a day: 12 days left",
          "earlier dates were right within 20 % of the lead in 14 of 16 cases",
        ],
        made: 1764003000,
      },
    ],
  },
  "GET /report": {
    id: "getReport",
    response: {
      ...{ at: 1764003000, from: 1763398200, to: 1764003000 },
      incidents: { total: 1, list: [incident] },
      alarms: {
        ...{ total: 14, confirmed: 1, dismissed: 4, unjudged: 9 },
        by_severity: { info: 12, warning: 1, critical: 1 },
        days: [{ at: 1763942400, total: 14 }],
        hours: [0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        before: { total: 9, confirmed: 1, dismissed: 2, unjudged: 6 },
      },
      noisiest: [
        { model: "load", total: 14, confirmed: 1, dismissed: 4, unjudged: 9, proposal },
        {
          ...{ model: "disk", total: 1, confirmed: 0, dismissed: 0, unjudged: 1 },
          no_proposal: "fewer than 3 alarms that are not confirmed are no pattern",
          no_proposal_code: "too_few_alarms",
        },
      ],
      sources: [],
      failing: { total: 0, list: [] },
      silent: { total: 1, list: [{ model: "disk", since: 1764001000 }] },
      silent_series: [{ model: "hosts", series: 2 }],
      changes: { total: 3, good: 3, followed: [] },
      capacity: { total: 0, list: [] },
      budgets: { total: 0, list: [] },
    },
  },
  "POST /report/_send": {
    id: "sendReport",
    request: {
      ...{ to: [{ address: "ops@example.org" }], sender: { name: "Torus", address: "torus@example.org" } },
      from: "now-7d",
    },
  },
  "GET /deliveries": { id: "listAllDeliveries", response: [{ model: "load", hook: "marks", ...delivery }] },
  "GET /anomalies": { id: "listAnomalies", response: [episode] },
  "GET /models/:names/hooks": { id: "listHooks", response: ["marks"] },
  "PUT /models/:names/hooks": { id: "putHook", request: hook, response: "success" },
  "POST /models/:names/hooks": { id: "attachHook", request: hook, response: "success" },
  "POST /models/:names/hooks/_preview": {
    id: "previewHook",
    request: hook,
    response: [{ event: "anomaly_start", text: "load too high: 30000, not 1.2" }],
  },
  "GET /models/:names/hooks/:hook": { id: "getHook", response: hook },
  "PUT /models/:names/hooks/:hook": { id: "replaceHook", request: namedHook, response: "success" },
  "POST /models/:names/hooks/:hook": { id: "changeHook", request: namedHook, response: "success" },
  "DELETE /models/:names/hooks/:hook": { id: "deleteHook", response: "success" },
  "POST /models/:names/hooks/:hook/_test": { id: "testHook", response: "success" },
  "GET /models/:names/hooks/:hook/deliveries": { id: "listDeliveries", response: [delivery] },
  "GET /hooks": { id: "listGlobalHooks", response: ["marks"] },
  "PUT /hooks": { id: "putGlobalHook", request: globalHook, response: "success" },
  "POST /hooks": { id: "createGlobalHook", request: globalHook, response: "success" },
  "POST /hooks/_preview": {
    id: "previewGlobalHook",
    request: globalHook,
    response: [{ event: "anomaly_start", text: "load too high: 30000, not 1.2" }],
  },
  "GET /hooks/_states": {
    id: "listHookStates",
    response: [
      {
        model: "load",
        name: "marks",
        type: "webhook",
        target: "https://ops.example/hook",
        last_delivery: { model: "load", ...delivery },
      },
    ],
  },
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
};
