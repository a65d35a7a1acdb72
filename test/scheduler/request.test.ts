// Requests of scheduled jobs: method, path, query, body, and dates relative to the run.
import { expect, test } from "bun:test";
import type { ScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { makeRequest } from "../../src/scheduler/request.ts";

const NOW = Date.parse("2026-11-20T12:00:00.500Z");
const signal = new AbortController().signal;
const every = { unit: "day" };

const rows: readonly [string, Partial<ScheduledJob>, string, string, string | null][] = [
  ["a plain path", { method: "get", relative_url: "/jobs" }, "GET", "/jobs", null],
  [
    "parameters",
    { params: { max_evals: 3, bg: true, x: "a b&c" } },
    "POST",
    "/models/m/_train?max_evals=3&bg=true&x=a+b%26c",
    null,
  ],
  [
    "relative dates",
    { params: { from: "now-1d", to: "now" } },
    "POST",
    "/models/m/_train?from=1795089600&to=1795176000",
    null,
  ],
  [
    "dates that are fixed",
    { params: { from: 5, to: "2026-01-01" } },
    "POST",
    "/models/m/_train?from=5&to=2026-01-01",
    null,
  ],
  [
    "a date that is none goes as it is",
    { params: { from: "now-1x" } },
    "POST",
    "/models/m/_train?from=now-1x",
    null,
  ],
  ["a body", { json: { a: [1] } }, "POST", "/models/m/_train", '{"a":[1]}'],
  ["no body with GET", { method: "get", json: { a: 1 } }, "GET", "/models/m/_train", null],
];

for (const [name, change, method, target, body] of rows) {
  test(name, async () => {
    const job = {
      name: "j",
      method: "post",
      relative_url: "/models/m/_train",
      every,
      ...change,
    } as ScheduledJob;
    const request = makeRequest(job, NOW, signal);
    const url = new URL(request.url);
    expect([request.method, url.pathname + url.search]).toEqual([method, target]);
    expect(request.body === null ? null : await request.text()).toBe(body);
    expect(request.headers.get("content-type")).toBe(body === null ? null : "application/json");
  });
}
