// Contract rows of `bucket_interval: auto` and `span: auto`, before and after a training.
import { aModel } from "../support/builders.ts";
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const DAYS = 30;
const feature = { name: "avg_load", metric: "avg", field: "load" };
const settings = aModel({
  name: "c_auto",
  default_bucket: "c_auto",
  bucket_interval: "auto",
  span: "auto",
  features: [feature],
});
const points = dailyWave(DAYS).map((point) => ({ ...point, timestamp: point.timestamp + 120 }));
const range = `from=0&to=${DAYS * DAY}`;
const quick = `${range}&max_evals=1&epochs=3`;
const day = `from=${20 * DAY}&to=${21 * DAY}`;

const untrained = ["_forecast", "_eval", "_backtest", "_start"].map((action) =>
  refuses(
    `${action} of one that is not trained`,
    `POST /models/c_auto/${action}?${action === "_start" ? "" : range}`,
    {
      code: "not_trained",
      holds: ["train it first"],
    },
  ),
);

const young = { ...settings, name: "c_young", detector: "auto", silence: "auto" } as const;
const coldStart: readonly Row[] = [
  { shows: "a model that may learn while it is live", request: "POST /models", body: young, status: 201 },
  {
    shows: "it starts without a training",
    request: "POST /models/c_young/_start?detect_anomalies=true",
    status: 204,
  },
  {
    shows: "live, with the parameters of its start",
    request: "GET /models/c_young",
    status: 200,
    has: [{ settings: { ...young, run: { detect_anomalies: true } }, state: { trained: false }, live: {} }],
  },
  refuses("a forecast needs the first version", `POST /models/c_young/_forecast?${day}`, {
    code: "not_trained",
  }),
  refuses("an unknown detector", "PATCH /models/c_young", {
    path: "detector",
    body: { detector: "none" },
    holds: ["must be ensemble, auto or vae"],
  }),
  { shows: "it stops", request: "POST /models/c_young/_stop", status: 204 },
  { shows: "it is deleted", request: "DELETE /models/c_young", status: 204 },
];

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_auto", status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_auto", type: "local" }, status: 201 },
  { shows: "points", request: "POST /buckets/c_auto/_write", body: points, status: 202, job: "done" },
  { shows: "create", request: "POST /models", body: settings, status: 201, is: "success" },
  {
    shows: "auto comes back as it was written",
    request: "GET /models/c_auto",
    status: 200,
    is: [{ settings, state: { trained: false } }],
  },
  ...untrained,
  ...coldStart,
  refuses("a word that is neither duration nor auto", "PATCH /models/c_auto", {
    path: "bucket_interval",
    body: { bucket_interval: "automatic" },
    holds: ["or auto"],
  }),
  refuses("auto where nothing can be counted", "POST /models", {
    path: "bucket_interval",
    body: { ...settings, name: "c_bad", features: [{ ...feature, query: "up" }], default_bucket: "c_none" },
  }),
  refuses(
    "a read of raw points needs a duration",
    `POST /buckets/c_auto/_read?${range}&bucket_interval=auto&features=avg(load)`,
    { path: "bucket_interval" },
  ),
  {
    shows: "a training where there are no points",
    request: `POST /models/c_auto/_train?from=${90 * DAY}&to=${91 * DAY}`,
    status: 200,
    job: "failed",
    jobHas: { code: "no_data" },
  },
  {
    shows: "a training chooses",
    request: `POST /models/c_auto/_train?${quick}`,
    status: 200,
    job: "done",
  },
  {
    shows: "what was chosen, beside what was written",
    request: "GET /models/c_auto",
    status: 200,
    has: [{ settings, state: { trained: true, bucket_interval: HOUR, span: 120, period: 24 } }],
  },
  {
    shows: "versions were trained with what was chosen",
    request: "GET /models/c_auto/versions",
    status: 200,
    has: [{ settings: { bucket_interval: HOUR }, state: { bucket_interval: HOUR } }],
  },
  {
    shows: "a forecast goes by it",
    request: `POST /models/c_auto/_forecast?${day}`,
    status: 200,
    has: { timestamps: Array.from({ length: 24 }, (_, i) => 20 * DAY + i * HOUR) },
  },
  { shows: "an evaluation, too", request: `POST /models/c_auto/_eval?${day}`, status: 200 },
  {
    shows: "an evaluation records anomalies on request",
    request: `POST /models/c_auto/_eval?${day}&record=true`,
    status: 200,
    has: { recorded: 0 },
  },
  refuses("hooks are for what is kept", `POST /models/c_auto/_eval?${day}&hooks=true`, { path: "hooks" }),
  {
    shows: "a backtest, too",
    request: `POST /models/c_auto/_backtest?${quick}&bg=false`,
    status: 200,
    has: { trained: { points: 360 } },
  },
  { shows: "and live detection", request: "POST /models/c_auto/_start?detect_anomalies=true", status: 204 },
  { shows: "stop it", request: "POST /models/c_auto/_stop", status: 204 },
  {
    shows: "a duration in its place counts from the next training on",
    request: "PATCH /models/c_auto",
    body: { bucket_interval: "2h" },
    status: 204,
  },
  {
    shows: "until then the old one is in force",
    request: "GET /models/c_auto",
    status: 200,
    has: [{ settings: { bucket_interval: "2h" }, state: { bucket_interval: HOUR } }],
  },
  {
    shows: "a template may say auto",
    request: "POST /templates?name=c_auto_t",
    body: { ...settings, name: "{{name}}" },
    status: 201,
  },
  {
    shows: "a model from it",
    request: "POST /models?from_template=c_auto_t",
    body: { name: "c_auto_2" },
    status: 201,
  },
  { shows: "tidy up", request: "DELETE /templates/c_auto_t", status: 204 },
  { shows: "tidy up", request: "DELETE /models/c_auto;c_auto_2", status: 204 },
  { shows: "tidy up", request: "DELETE /buckets/c_auto", status: 204 },
];

export const autoModels: Table = { noun: "auto models", rows };
