// Contract rows of fleets: series of a model with `group_by`, one of them by its tags.
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

export const fleets: Table = {
  noun: "fleets",
  rows: [
    ...setUp,
    ...series,
    { shows: "tidy up", request: "DELETE /models/c_fl;c_one", status: 204 },
    { shows: "tidy up", request: "DELETE /buckets/c_fl", status: 204 },
  ],
};
