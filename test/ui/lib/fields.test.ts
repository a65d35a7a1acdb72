// Fields of a bucket as a list: search, counters, proposed tags.
import { expect, test } from "bun:test";
import { isCounter, isRising, proposeGroup, rowsOf, searchFields } from "../../../src/ui/lib/fields.ts";

const cpu = { name: "cpu", fields: [{ name: "usage_idle" }, { name: "usage_user" }], tags: [] };
const metrics = ["prometheus_config_reload_total", "node_load15", "download_bytes", "loadavg", "go_load"];
const rows = rowsOf([cpu, { name: null, fields: metrics.map((name) => ({ name })), tags: [] }]);
const namesOf = (text: string) => searchFields(rows, text).map(({ name }) => name);

test("words in any order, in the measurement and the field", () => {
  expect(namesOf("idle CPU")).toEqual(["usage_idle"]);
  expect(namesOf("cpu usage_user")).toEqual(["usage_user"]);
  expect(namesOf("cpu nothing")).toEqual([]);
  expect(namesOf(" ")).toHaveLength(7);
});

test("whole words first, then words that begin so, then parts", () =>
  expect(namesOf("load")).toEqual([
    "node_load15",
    "go_load",
    "loadavg",
    "prometheus_config_reload_total",
    "download_bytes",
  ]));

test.each([
  [{ name: "requests_total", kind: undefined }, true],
  [{ name: "latency_seconds_sum", kind: "histogram" }, true],
  [{ name: "bytes_received", kind: "counter" }, true],
  [{ name: "queue_count", kind: "gauge" }, false],
  [{ name: "node_load1", kind: undefined }, false],
])("%j is a counter: %s", (field, expected) => expect(isCounter(field)).toBe(expected));

test("samples that rise, also with restarts", () => {
  const rising = Array.from({ length: 40 }, (_, i) => i * 100);
  expect(isRising(rising)).toBe(true);
  expect(isRising([...rising, 0, ...rising, null])).toBe(true);
  expect(isRising(rising.map((value, i) => value + 300 * (i % 2)))).toBe(false);
  expect(isRising([1, 2, 3])).toBe(false);
  expect(isRising(rising.map(() => 5))).toBe(false);
});

test("hosts with several values are proposed as series", () => {
  const tags = [
    { name: "code", values: ["200", "500"] },
    { name: "instance", values: ["a", "b"] },
    { name: "pod", values: ["only"] },
  ];
  expect(proposeGroup(tags)).toEqual(["instance"]);
  expect(proposeGroup(tags.slice(2))).toEqual([]);
});
