// Contract rows of fleets: series of a model with `group_by`, one of them by its tags.
import { expect } from "bun:test";
import { aModel } from "../support/builders.ts";
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const DAY = 24 * 3600;
const feature = { name: "load", metric: "avg", field: "load" };
const one = aModel({ name: "c_one", default_bucket: "c_fl", bucket_interval: "1h", features: [feature] });
const fleet = { ...one, name: "c_fl", group_by: ["host"] };
const points = ["a", "b/1"].flatMap((host) => dailyWave(20).map((point) => ({ ...point, tags: { host } })));
const range = `from=0&to=${20 * DAY}&max_evals=1&epochs=3`;
const slash = encodeURIComponent("host:b/1");

const setUp: readonly Row[] = [
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_fl", type: "local" }, status: 201 },
  { shows: "points", request: "POST /buckets/c_fl/_write", body: points, status: 202, job: "done" },
  { shows: "a fleet", request: "POST /models", body: fleet, status: 201 },
  { shows: "a model of one series", request: "POST /models", body: one, status: 201 },
  { shows: "no series before a training", request: "GET /models/c_fl/series", status: 200, is: [] },
  { shows: "a training", request: `POST /models/c_fl/_train?${range}`, status: 200, job: "done" },
];

const day = `from=${18 * DAY}&to=${19 * DAY}`;
const host = "&series=host:a";
const work: readonly Row[] = [
  {
    shows: "an evaluation of all series",
    request: `POST /models/c_fl/_eval?${day}&detect_anomalies=true`,
    status: 200,
    has: {
      ...{ series: [{ tags: { host: "a" } }, { tags: { host: "b/1" } }], page: 0, per_page: 10, total: 2 },
      ...{ timestamps: [], observed: {}, predicted: {} },
    },
  },
  {
    shows: "a page of them",
    request: `POST /models/c_fl/_forecast?from=${20 * DAY}&to=${21 * DAY}&page=1&per_page=1`,
    status: 200,
    has: { series: [{ tags: { host: "b/1" } }], page: 1, total: 2 },
  },
  {
    shows: "series without points in the range",
    request: `POST /models/c_fl/_eval?from=${90 * DAY}&to=${91 * DAY}&per_page=1`,
    status: 200,
    has: { series: [{ tags: { host: "a" }, code: "no_data" }] },
  },
  {
    shows: "an evaluation of a page of series as CSV",
    request: `POST /models/c_fl/_eval?${day}&detect_anomalies=true&page=1&per_page=1`,
    headers: { accept: "text/csv" },
    status: 200,
    type: "text/csv",
    holds: [
      "time,host,observed_load,predicted_load,lower_load,upper_load,score,mse,nll,range_score,anomaly\r\n",
      "1970-01-19T06:00:00.000Z,b/1,15,",
      '"x-total-count","2"',
    ],
  },
  {
    shows: "series without points in the range as CSV",
    request: `POST /models/c_fl/_eval?from=${90 * DAY}&to=${91 * DAY}`,
    headers: { accept: "text/csv" },
    status: 200,
    type: "text/csv",
    holds: ["time,host,observed_load", '"x-torus-advice","2 series of this page lack data'],
  },
  {
    shows: "a forecast of one series as Arrow",
    request: `POST /models/c_fl/_forecast?from=${20 * DAY}&to=${21 * DAY}${host}&level=95`,
    headers: { accept: "application/vnd.apache.arrow.stream" },
    status: 200,
    type: "application/vnd.apache.arrow.stream",
    holds: ["lower95_load", "version"],
  },
  {
    shows: "an evaluation of one series",
    request: `POST /models/c_fl/_eval?${day}${host}&detect_anomalies=true`,
    status: 200,
    has: { timestamps: expect.any(Array), stats: expect.any(Array) },
    lacks: ["tags"],
  },
  {
    shows: "a forecast of one series",
    request: `POST /models/c_fl/_forecast?from=${20 * DAY}&to=${21 * DAY}${host}`,
    status: 200,
    has: { predicted: { load: expect.any(Array) } },
  },
  {
    shows: "a chart of one series, evaluated",
    request: `GET /models/c_fl/_series?${day}${host}&fill=true&points=1`,
    status: 200,
    has: { c_fl: { features: { load: { mean: [expect.any(Number)] } }, score: [expect.any(Number)] } },
  },
  refuses("a chart of all series", `GET /models/c_fl/_series?${day}`, {
    path: "series",
    holds: ["host:...", "pooled=true"],
  }),
  {
    shows: "a chart of the points of all series as one",
    request: `GET /models/c_fl/_series?${day}&pooled=true&points=1&parts=observed`,
    status: 200,
    has: { c_fl: { features: { load: { mean: [expect.any(Number)] } } } },
  },
  {
    shows: "a backtest of one series",
    request: `POST /models/c_fl/_backtest?${range}${host}`,
    status: 200,
    job: "done",
  },
  refuses("a backtest of all", `POST /models/c_fl/_backtest?${range}`, { path: "series" }),
  refuses("an evaluation of an unknown series", `POST /models/c_fl/_eval?${day}&series=host:x`, {
    status: 404,
    holds: ["/series lists"],
  }),
  refuses("a forecast of too many values", "POST /models/c_fl/_forecast?from=0&to=now&per_page=100", {
    path: "from",
    holds: ["per_page"],
  }),
  ...["_eval", "_forecast", "_backtest"].map((action) =>
    refuses(`${action} of a series of a model of one`, `POST /models/c_one/${action}?${day}${host}`, {
      code: action === "_backtest" ? "not_supported" : "not_trained",
    }),
  ),
];

const series: readonly Row[] = [
  {
    shows: "the series of its version, and their numbers",
    request: "GET /models/c_fl/series?q=B/&page=0&per_page=5",
    status: 200,
    has: [{ tags: { host: "b/1" }, state: "stopped", fitted: 480 }],
    holds: ['"x-total-count","1"', '"x-state-counts","stopped=1"'],
  },
  {
    shows: "one series, whatever is in its tags",
    request: `GET /models/c_fl/series/${slash}`,
    status: 200,
    has: { tags: { host: "b/1" }, state: "stopped" },
    lacks: ["live"],
  },
  refuses("an unknown series", "GET /models/c_fl/series/host:x", {
    status: 404,
    code: "not_found",
    holds: ["GET /models/c_fl/series lists"],
  }),
  refuses("another tag", "GET /models/c_fl/series/rack:1", { path: "series" }),
  refuses("an unknown state", "GET /models/c_fl/series?state=odd", { path: "state" }),
  refuses("series of a model of one", "GET /models/c_one/series", {
    code: "not_supported",
    holds: ["set group_by"],
  }),
  { shows: "another method", request: "POST /models/c_fl/series", status: 405 },
];

const label = { from: 0, to: 7200, anomaly: true, series: { host: "b/1" } };
const marks: readonly Row[] = [
  {
    shows: "a label of one series",
    request: "POST /models/c_fl/labels",
    body: label,
    status: 201,
    has: { series: { host: "b/1" } },
  },
  {
    shows: "labels that concern a series",
    request: `GET /models/c_fl/labels?series=${slash}`,
    status: 200,
    has: [{ series: { host: "b/1" } }],
  },
  { shows: "no label of another", request: "GET /models/c_fl/labels?series=host:a", status: 200, is: [] },
  refuses("a label with another tag", "POST /models/c_fl/labels", {
    path: "series",
    body: { ...label, series: { rack: "1" } },
  }),
  refuses("a label of a series of a model of one", "POST /models/c_one/labels", {
    code: "not_supported",
    body: label,
  }),
  {
    shows: "an outage of one series",
    request: "POST /buckets/c_fl/_write",
    body: [{ timestamp: 18.5 * DAY, load: 1000, tags: { host: "a" } }],
    status: 202,
    job: "done",
  },
  {
    shows: "anomalies of all series, recorded",
    request: `POST /models/c_fl/_eval?${day}&detect_anomalies=true&record=true`,
    status: 200,
    has: { series: [{ tags: { host: "a" }, recorded: expect.any(Number) }, { recorded: 0 }] },
  },
  {
    shows: "anomalies of one series",
    request: "GET /anomalies?series=host:a&model=c_fl",
    status: 200,
    has: [{ model: "c_fl", series: { host: "a" } }],
  },
  {
    shows: "those of another",
    request: `GET /models/c_fl/anomalies?series=${slash}`,
    status: 200,
    is: [],
  },
  { shows: "those of a fleet", request: "GET /models/c_fl/anomalies?scope=fleet", status: 200, is: [] },
  refuses("another scope", "GET /anomalies?scope=series", { path: "scope" }),
  refuses("names apart by commas", "GET /anomalies?model=a,b", { path: "model" }),
  refuses("a series without a value", "GET /anomalies?series=host", { path: "series" }),
];

const becomesFleet: readonly Row[] = [
  {
    shows: "a training of one series",
    request: `POST /models/c_one/_train?${range}`,
    status: 200,
    job: "done",
  },
  {
    shows: "how it forecasts, by feature",
    request: "GET /models/c_one",
    status: 200,
    has: [{ state: { forecast: { load: { members: expect.any(Array), origins: expect.any(Number) } } } }],
  },
  {
    shows: "it becomes a fleet",
    request: "PATCH /models/c_one",
    body: { group_by: ["host"] },
    status: 204,
  },
  {
    shows: "a training of the fleet",
    request: `POST /models/c_one/_train?${range}`,
    status: 200,
    job: "done",
  },
  {
    shows: "its versions have the same keys",
    request: "GET /models/c_one/versions",
    status: 200,
    has: [{ state: { series_trained: "none" } }, { state: { series_trained: 2, detectors: "none" } }],
    flat: ["state", "version"],
  },
];

export const fleets: Table = {
  noun: "fleets",
  rows: [
    ...setUp,
    ...series,
    ...work,
    ...marks,
    ...becomesFleet,
    { shows: "tidy up", request: "DELETE /models/c_fl;c_one", status: 204 },
    { shows: "tidy up", request: "DELETE /buckets/c_fl", status: 204 },
  ],
};
