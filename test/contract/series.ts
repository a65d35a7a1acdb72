// Contract rows of folded series: columns of a model that was never trained, without a job.
import { aModel } from "../support/builders.ts";
import { dailyWave, refuses, type Table } from "./suite.ts";

const feature = { name: "load", metric: "avg", field: "load" };
const model = aModel({ name: "c_s", default_bucket: "c_s", bucket_interval: "1h", features: [feature] });

export const series: Table = {
  noun: "series",
  rows: [
    { shows: "a bucket", request: "POST /buckets", body: { name: "c_s", type: "local" }, status: 201 },
    { shows: "points", request: "POST /buckets/c_s/_write", body: dailyWave(3), status: 202, job: "done" },
    { shows: "a model", request: "POST /models", body: model, status: 201 },
    { shows: "a second one", request: "POST /models", body: { ...model, name: "c_s2" }, status: 201 },
    {
      shows: "three days in three cells",
      request: "GET /models/c_s/_series?from=0&to=259200&points=3",
      status: 200,
      has: {
        c_s: {
          from: 0,
          step: 86_400,
          bucket_interval: 3600,
          cells: 3,
          features: { load: { min: [5, 5, 5], mean: [10, 10, 10], max: [15, 15, 15] } },
          episodes: [],
        },
      },
    },
    {
      shows: "gaps, and two models",
      request: "GET /models/c_s;c_s2;c_s/_series?from=259200&to=345600&points=1&parts=observed",
      status: 200,
      has: {
        c_s: { features: { load: { max: [null] } } },
        c_s2: { features: { load: { max: [null] } } },
      },
      lacks: ["episodes"],
    },
    {
      shows: "no scores of a model that never was trained or live, evaluated or not",
      request: "GET /models/c_s/_series?from=0&to=259200&points=2&parts=expected;score&fill=true",
      status: 200,
      has: { c_s: { score: [null, null], expected: { load: { mean: [null, null] } } } },
      lacks: ["filled", "features"],
    },
    {
      shows: "cells as CSV",
      request: "GET /models/c_s/_series?from=0&to=172800&points=2&parts=observed",
      headers: { accept: "text/csv" },
      status: 200,
      type: "text/csv",
      holds: [
        "time,min_load,mean_load,max_load\r\n1970-01-01T00:00:00.000Z,5,10,15\r\n1970-01-02T00:00:00.000Z,5,10,15\r\n",
      ],
    },
    refuses("cells of two models as CSV", "GET /models/c_s;c_s2/_series?from=0", {
      headers: { accept: "text/csv" },
      path: "name",
      holds: ["must be one model"],
    }),
    refuses("scores of two models evaluated", "GET /models/c_s;c_s2/_series?from=0&to=9000&fill=true", {
      path: "fill",
    }),
    refuses("an unknown version", "GET /models/c_s/_series?from=0&to=9000&version=77", {
      status: 404,
      holds: ["77"],
    }),
    refuses("no start", "GET /models/c_s/_series", { path: "from" }),
    refuses("too many cells", "GET /models/c_s/_series?from=0&points=100001", { path: "points" }),
    refuses("an unknown part", "GET /models/c_s/_series?from=0&parts=x", { path: "parts" }),
    refuses("an unknown model", "GET /models/c_s;c_no/_series?from=0", { status: 404, holds: ["c_no"] }),
    { shows: "another method", request: "POST /models/c_s/_series", status: 405 },
    {
      shows: "a label",
      request: "POST /models/c_s/labels",
      body: { from: 0, to: "1970-01-01T02:00:00Z", anomaly: false, feature: "load", note: "test" },
      status: 201,
      has: { from: 0, to: 7200, anomaly: false, feature: "load" },
      keepParts: { label: "id" },
    },
    {
      shows: "the labels of a range",
      request: "GET /models/c_s/labels?from=3600&to=now&per_page=5",
      status: 200,
      has: [{ note: "test" }],
      holds: ['"x-total-count","1"'],
    },
    refuses("a label that ends before it starts", "POST /models/c_s/labels", {
      path: "to",
      body: { from: 5, to: 5, anomaly: true },
    }),
    refuses("a label of an unknown feature", "POST /models/c_s/labels", {
      path: "feature",
      body: { from: 0, to: 5, anomaly: true, feature: "x" },
    }),
    refuses("a label of two models", "POST /models/c_s;c_s2/labels", {
      body: { from: 0, to: 5, anomaly: true },
    }),
    refuses("a label of another model", "DELETE /models/c_s2/labels/$label", { status: 404 }),
    { shows: "the label deleted", request: "DELETE /models/c_s/labels/$label", status: 204 },
    { shows: "tidy up", request: "DELETE /models/c_s;c_s2", status: 204 },
    { shows: "tidy up", request: "DELETE /buckets/c_s", status: 204 },
  ],
};
