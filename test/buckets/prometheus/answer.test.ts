// Answers of the Prometheus query API that are no series of numbers: the reason is what the server says.
import { expect, test } from "bun:test";
import { readSeries } from "../../../src/buckets/prometheus/answer.ts";
import { Client } from "../../../src/net/fetch.ts";

const client = new Client({ address: { software: "Prometheus", addr: "db", port: 9090 } } as never);
const matrix = (series: object) => ({ status: "success", data: { resultType: "matrix", result: [series] } });

test.each<[string, string, string, string]>([
  [
    "an error with status 200",
    JSON.stringify({ status: "error", errorType: "execution", error: "would load too many samples" }),
    "bucket_rejected",
    "answered with an error: would load too many samples",
  ],
  [
    "native histograms",
    JSON.stringify(matrix({ metric: {}, histograms: [[1_600_000_000, { count: "1", sum: "1" }]] })),
    "bucket_rejected",
    "answers native histograms, which are no numbers; give a query, as in histogram_quantile(0.95, ...)",
  ],
  [
    "a login page",
    "<!DOCTYPE html><title>Sign in</title>",
    "bucket_unavailable",
    "sent a page (HTML), no complete answer of Prometheus, as a proxy or a login does; check the address",
  ],
])("%s", (_name, text, code, reason) => {
  const read = () => readSeries(client, text);
  expect(read).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
});
