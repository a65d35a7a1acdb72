// Examples of buckets and the line protocol.
import { type ApiExample, bucket, jobId } from "./shared.ts";

export const bucketsExamples: Readonly<Record<string, ApiExample>> = {
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
  "POST /buckets/_test": {
    id: "testBucketSettings",
    request: bucket,
    response: { ok: true, duration: 0.004 },
  },
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
  "GET /ping": { id: "pingServer" },
  "GET /query": { id: "queryInflux", response: { results: [{ statement_id: 0 }] } },
  "POST /query": {
    id: "queryInfluxByForm",
    accepts: "application/x-www-form-urlencoded",
    request: "q=CREATE DATABASE metrics",
    response: { results: [{ statement_id: 0 }] },
  },
};
