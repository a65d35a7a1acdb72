// Units that metadata of metrics states for fields.
import { expect, test } from "bun:test";
import { statedUnit } from "../../../src/core/series/metric-metadata.ts";

const units: Record<string, string> = {
  "http.server.request.duration": "s",
  "system.cpu.utilization": "1",
  "process.threads": "1",
  "system.memory.usage": "By",
  rpc_bytes: "bytes",
  bad: "a\u0007b",
  long: "x".repeat(33),
  empty: "",
};

test.each([
  ["http.server.request.duration_p99", "s"],
  ["http.server.request.duration_p99_9", "s"],
  ["http.server.request.duration_sum", "s"],
  ["http.server.request.duration_count", undefined],
  ["system.memory.usage", "B"],
  ["rpc_bytes_total", "B"],
  ["system.cpu.utilization", "ratio"],
  ["process.threads", undefined],
  ["bad", undefined],
  ["long", undefined],
  ["empty", undefined],
  ["unknown", undefined],
])("%s is stated in %p", (field, unit) => {
  expect(statedUnit(field, (metric) => units[metric])).toBe(unit as string);
});
