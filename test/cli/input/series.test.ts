// Series on the command line: tags and values, escapes, and what the API reads.
import { expect, test } from "bun:test";
import { parseSeriesTags, printSeries, readSeries } from "../../../src/cli/input/series.ts";
import { parseSeries } from "../../../src/core/model/fleet.ts";

test.each([
  ["host=a,cpu=0", { host: "a", cpu: "0" }],
  ["host:a,cpu:0", { host: "a", cpu: "0" }],
  ["host=web-1:9100,cpu=", { host: "web-1:9100", cpu: "" }],
  ["host=a\\,b,cpu=x=y", { host: "a,b", cpu: "x=y" }],
  ["host=a, cpu=0", { host: "a", cpu: "0" }],
])("%s", (text, tags) => {
  expect(parseSeriesTags(text)).toEqual(tags);
  expect(parseSeries(readSeries(text)!, ["host", "cpu"])).toEqual(tags);
});

test.each(["", "host", ",", "=a"])("%p is refused", (text) => {
  expect(() => parseSeriesTags(text)).toThrow("--series: must be tags and values, as in host=a,cpu=0");
});

test.each(["host=a,host=b", "host=a\\"])("%p is refused, as a part of it would be lost", (text) => {
  expect(() => parseSeriesTags(text)).toThrow("--series: ");
});

test.each([
  { host: "a", cpu: "" },
  { host: "a,b", cpu: "C:\\, x=y" },
  { "k8s:app": " a", "x=y,z": "b" },
])("what lists show is read back: %p", (tags) => {
  expect(parseSeriesTags(printSeries(tags))).toEqual(tags);
});

test("without the option there is no series", () => {
  expect(readSeries(undefined)).toBeUndefined();
});
