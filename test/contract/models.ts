// Contract rows of /models: settings, training, versions, forecast and evaluation of a real model.
import { aModel } from "../support/builders.ts";
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const DAY = 86_400;
const feature = { name: "avg_load", metric: "avg", field: "load" };
const settings = aModel({
  name: "c_m",
  default_bucket: "c_data",
  bucket_interval: "1h",
  span: 12,
  features: [feature],
});
const plain = { ...settings, name: "c_plain" };
const points = dailyWave(30);

const refusals: readonly [string, object, string][] = [
  ["an unknown metric", { features: [{ ...feature, metric: "avgg" }] }, "features.0.metric"],
  ["min_threshold above max_threshold", { min_threshold: 80, max_threshold: 70 }, "min_threshold"],
  [
    "a min_deviation of nothing",
    { features: [{ ...feature, min_deviation: { absolute: 0 } }] },
    "features.0.min_deviation.absolute",
  ],
  [
    "an only_if that no value meets",
    { features: [{ ...feature, only_if: { above: 9, below: 1 } }] },
    "features.0.only_if.above",
  ],
  ["a min above max", { features: [{ ...feature, min: 9, max: 1 }] }, "features.0.min"],
  ["notify_after beside min_duration", { notify_after: { n: 2, of: 3 }, min_duration: 2 }, "notify_after"],
  ["notify_after of more than there are", { notify_after: { n: 3, of: 2 } }, "notify_after.of"],
  ["a silence that is no duration", { silence: "odd" }, "silence"],
  ["a silence of 0", { silence: 0 }, "silence"],
  ["an unknown key", { max_treshold: 1 }, "max_treshold"],
  ["a span that is no whole number, as a text", { span: "1.5" }, "span"],
];

const creations: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_m", status: [204, 404] },
  { shows: "a clean start", request: "DELETE /models/c_plain", status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_data", type: "local" }, status: 201 },
  { shows: "its points", request: "POST /buckets/c_data/_write", body: points, status: 202, job: "done" },
  { shows: "create", request: "POST /models", body: settings, status: 201, is: "success" },
  {
    shows: "models of a state and name, worst first, with the number in each state",
    request: "GET /models?state=untrained;stopped&q=C_M&sort=state:1&page=0",
    status: 200,
    holds: ['"x-state-counts"'],
  },
  {
    shows: "models without data",
    request: "GET /models?state=no_data&q=C_M&sort=state:1&page=0",
    status: 200,
    is: [],
  },
  refuses("models of an unknown state", "GET /models?state=odd", { path: "state" }),
  refuses("create it again", "POST /models", { status: 409, code: "already_exists", body: settings }),
  {
    shows: "settings come back as they were written",
    request: "GET /models/c_m",
    status: 200,
    is: [{ settings, state: { trained: false } }],
  },
  { shows: "create another", request: "POST /models", body: plain, status: 201 },
  ...refusals.map(([shows, change, path]) =>
    refuses(`refuses ${shows}`, "POST /models", { path, body: { ...settings, name: "c_bad", ...change } }),
  ),
  { shows: "nothing was created by these", request: "GET /models/c_bad", status: 404 },
  {
    shows: "names in the order of the URL",
    request: "GET /models/c_plain;c_m;c_plain",
    status: 200,
    has: [
      { settings: { name: "c_plain" } },
      { settings: { name: "c_m" } },
      { settings: { name: "c_plain" } },
    ],
  },
  refuses("the first unknown is named", "GET /models/c_m;c_no;c_nono", {
    status: 404,
    holds: ["c_no"],
    lacks: ["c_nono"],
  }),
  { shows: "HEAD", request: "HEAD /models/c_m;c_plain", status: 200, type: null },
  { shows: "HEAD of an unknown one", request: "HEAD /models/c_m;c_no", status: 404, type: null },
  {
    shows: "fields kept",
    request: "GET /models/c_m?fields=state;zzz&include_fields=true",
    status: 200,
    is: [{ state: { trained: false }, zzz: null }],
  },
  {
    shows: "patch a part",
    request: "PATCH /models/c_m",
    body: { max_threshold: 70, min_threshold: 50 },
    status: 204,
  },
  {
    shows: "patched",
    request: "GET /models/c_m",
    status: 200,
    has: [{ settings: { ...settings, max_threshold: 70, min_threshold: 50 } }],
  },
  {
    shows: "whole numbers and booleans may be written as texts",
    request: "PATCH /models/c_m",
    body: { max_evals: "7", seasonality: { daytime: "True", weekday: "no" } },
    status: 204,
  },
  {
    shows: "and are whole numbers and booleans from then on",
    request: "GET /models/c_m",
    status: 200,
    has: [{ settings: { max_evals: 7, seasonality: { daytime: true, weekday: false } } }],
  },
  {
    shows: "notify_after, by texts",
    request: "PATCH /models/c_m",
    body: { notify_after: { n: "2", of: "3" } },
    status: 204,
  },
  {
    shows: "min_duration beside it",
    request: "PATCH /models/c_m",
    body: { min_duration: 2 },
    status: 400,
    has: { path: "notify_after" },
  },
  {
    shows: "min_duration in its place",
    request: "PATCH /models/c_m",
    body: { min_duration: 2, notify_after: null },
    status: 204,
  },
  {
    shows: "back to what it was",
    request: "PATCH /models/c_m",
    body: { max_evals: null, seasonality: null, min_duration: null },
    status: 204,
  },
  {
    shows: "a body that is not an object",
    request: "POST /models",
    body: "[]",
    status: 400,
    has: { path: "body" },
  },
  {
    shows: "patch the whole",
    request: "PATCH /models/c_m",
    body: { ...settings, max_threshold: 60 },
    status: 204,
  },
  refuses("a patch that breaks a rule", "PATCH /models/c_m", {
    path: "min_threshold",
    body: { min_threshold: 90 },
  }),
  refuses("a patch of an unknown one", "PATCH /models/c_m;c_no", { status: 404, body: { max_evals: 1 } }),
  {
    shows: "the legacy form of features is flattened",
    request: "POST /models",
    body: {
      ...settings,
      name: "c_legacy",
      features: { io: [feature] },
      default_datasource: "c_data",
      routing: null,
      forecast: 5,
      grace_period: 0,
    },
    status: 201,
  },
  {
    shows: "flattened",
    request: "GET /models/c_legacy",
    status: 200,
    has: [{ settings: { features: [{ ...feature, io: "io" }], forecast: 5 } }],
  },
  { shows: "delete it", request: "DELETE /models/c_legacy", status: 204 },
];

const span = `from=0&to=${20 * DAY}`;
const quick = `${span}&max_evals=1&epochs=3`;
const day = `from=${21 * DAY}&to=${22 * DAY}`;

const trainings: readonly Row[] = [
  refuses("a forecast before any training", `POST /models/c_m/_forecast?${day}`, { code: "not_trained" }),
  { shows: "no training yet", request: "GET /models/c_m/training", status: 404 },
  { shows: "train without from", request: "POST /models/c_m/_train", status: 400, has: { path: "from" } },
  refuses("train on a range shorter than the span", "POST /models/c_m/_train?from=0&to=7200", {
    code: "too_little_data",
  }),
  {
    shows: "train where there is nothing",
    request: "POST /models/c_m/_train?from=2001-01-01&to=2001-02-01&max_evals=1",
    status: 200,
    job: "failed",
    jobHas: { type: "training", code: "no_data" },
  },
  {
    shows: "train",
    request: `POST /models/c_m/_train?${quick}`,
    status: 200,
    keep: "training",
    job: "done",
    jobHas: { type: "training", model: "c_m", result: null },
  },
  {
    shows: "the last training",
    request: "GET /models/c_m/training",
    status: 200,
    has: { state: "done", model: "c_m" },
  },
  {
    shows: "trained",
    request: "GET /models/c_m",
    status: 200,
    has: [{ state: { trained: true, span: 12 }, training: { state: "done" } }],
  },
  {
    shows: "train again, with parameters in the body",
    request: "POST /models/c_m/_train",
    body: { from: 0, to: 20 * DAY, max_evals: "1", epochs: 2, continue: "True" },
    status: 200,
    job: "done",
  },
  {
    shows: "versions",
    request: "GET /models/c_m/versions",
    status: 200,
    has: [{ version: { name: "00", active: false } }, { version: { name: "01", active: true } }],
    flat: ["state", "version"],
  },
  { shows: "a version", request: "HEAD /models/c_m/versions/00", status: 200, type: null },
  { shows: "no such version", request: "HEAD /models/c_m/versions/07", status: 404, type: null },
  { shows: "restore", request: "POST /models/c_m/_restore?version=00", status: 204 },
  {
    shows: "restored",
    request: "GET /models/c_m/versions/00",
    status: 200,
    has: { version: { name: "00", active: true } },
    holds: ['"created_timestamp":', '"from":', '"to":'],
  },
  { shows: "restore an unknown one", request: "POST /models/c_m/_restore?version=07", status: 404 },
];

const predictions: readonly Row[] = [
  {
    shows: "forecast in the foreground",
    request: `POST /models/c_m/_forecast?${day}`,
    status: 200,
    holds: ['"timestamps":[1814400,', "lower_avg_load", "upper_avg_load"],
    lacks: ["null", "stats"],
  },
  {
    shows: "forecast in the background",
    request: `POST /models/c_m/_forecast?${day}&bg=True`,
    status: 200,
    job: "done",
    jobHas: { type: "forecast", model: "c_m" },
  },
  {
    shows: "a forecast beyond the data observes nothing",
    request: `POST /models/c_m/_forecast?from=${30 * DAY}&to=${30 * DAY + 7200}`,
    status: 200,
    has: { timestamps: [30 * DAY, 30 * DAY + 3600], observed: { avg_load: [null, null] } },
  },
  refuses("an evaluation of a range without data", "POST /models/c_m/_eval?from=2001-01-01&to=2001-01-02", {
    status: 404,
    code: "no_data",
    holds: ["no data found for time range"],
  }),
  {
    shows: "a forecast from unaligned dates covers whole intervals",
    request: `POST /models/c_m/_forecast?from=${21 * DAY + 60}&to=${21 * DAY + 3660}`,
    status: 200,
    has: { timestamps: [21 * DAY, 21 * DAY + 3600] },
  },
  refuses(
    "a forecast with nothing to go on from",
    "POST /models/c_m/_forecast?from=2001-01-01&to=2001-01-02",
    { status: 404, code: "no_data", holds: ["no data found for time range"] },
  ),
  {
    shows: "a constraint",
    request: `POST /models/c_m/_forecast?${day}&constraint=avg_load:high:1000`,
    status: 200,
    has: {
      constraint: {
        ...{ feature: "avg_load", type: "high", threshold: 1000 },
        ...{ first_date: null, first_date_range: { earliest: null, latest: null } },
      },
    },
  },
  {
    shows: "further levels",
    request: `POST /models/c_m/_forecast?${day}&level=80;95`,
    status: 200,
    holds: ['"levels":{"80":', '"95":'],
  },
  refuses("a level as a share", `POST /models/c_m/_forecast?${day}&level=0.95`, {
    path: "level",
    holds: ["a percentage from 1"],
  }),
  {
    shows: "evaluation",
    request: `POST /models/c_m/_eval?${day}`,
    status: 200,
    lacks: ["stats"],
    holds: ['"predicted"'],
  },
  {
    shows: "evaluation with detection",
    request: `POST /models/c_m/_eval?${day}&detect_anomalies=True`,
    status: 200,
    holds: ['"stats":[{"score":', '"nll":', '"mse":'],
  },
  {
    shows: "evaluation with detection, as older clients ask for it",
    request: `POST /models/c_m/_eval?${day}&flag_abnormal_data=true&bg=true`,
    status: 200,
    job: "done",
    jobHas: { type: "prediction" },
  },
  {
    shows: "a bucket for output",
    request: "POST /buckets",
    body: { name: "c_out", type: "local" },
    status: 201,
  },
  {
    shows: "output saved",
    request: `POST /models/c_m/_eval?${day}&detect_anomalies=true&save_output_data=true&output_bucket=c_out&bg=true`,
    status: 200,
    job: "done",
  },
  {
    shows: "what was saved can be read",
    request: `POST /buckets/c_out/_read?${day}&bucket_interval=1d&features=count(score);count(avg_load);count(lower_avg_load);count(@avg_load)`,
    status: 202,
    job: "done",
    jobHas: {
      result: {
        timestamps: [21 * DAY],
        observed: {
          count_score: [24],
          count_avg_load: [24],
          count_lower_avg_load: [24],
          "count_@avg_load": [24],
        },
      },
    },
  },
  { shows: "tidy up", request: "DELETE /buckets/c_out", status: 204 },
  refuses(
    "output into an unknown bucket",
    `POST /models/c_m/_forecast?${day}&save_output_data=true&output_bucket=c_no`,
    { status: 404, holds: ["c_no"] },
  ),
  refuses("input from an unknown bucket", `POST /models/c_m/_forecast?${day}&input_bucket=c_no`, {
    status: 404,
    holds: ["c_no"],
  }),
  { shows: "an unknown model", request: `POST /models/c_no/_forecast?${day}`, status: 404 },
  { shows: "a body that is no object", request: "POST /models/c_m/_forecast", body: "[1]", status: 400 },
  { shows: "delete is all or nothing", request: "DELETE /models/c_m;c_no", status: 404 },
  { shows: "delete several", request: "DELETE /models/c_m;c_plain", status: 204 },
  { shows: "versions go with their model", request: "GET /models/c_m/versions", status: 404 },
  { shows: "jobs stay", request: "GET /jobs/$training", status: 200, has: [{ model: "c_m", state: "done" }] },
  { shows: "tidy up", request: "DELETE /buckets/c_data", status: 204 },
];

export const models: Table = { noun: "models", rows: [...creations, ...trainings, ...predictions] };
