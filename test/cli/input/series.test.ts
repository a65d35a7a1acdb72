// Series on the command line: tags and values, escapes, and what the API reads.
import { expect, test } from "bun:test";
import { parseSeriesTags, readSeries } from "../../../src/cli/input/series.ts";
import { parseSeries } from "../../../src/core/model/fleet.ts";

test.each([
  ["host=a,cpu=0", { host: "a", cpu: "0" }],
  ["host:a,cpu:0", { host: "a", cpu: "0" }],
  ["host=web-1:9100,cpu=", { host: "web-1:9100", cpu: "" }],
  ["host=a\\,b,cpu=x=y", { host: "a,b", cpu: "x=y" }],
])("%s", (text, tags) => {
  expect(parseSeriesTags(text)).toEqual(tags);
  expect(parseSeries(readSeries(text)!, ["host", "cpu"])).toEqual(tags);
});

test.each(["", "host", ",", "=a"])("%p is refused", (text) => {
  expect(() => parseSeriesTags(text)).toThrow("--series: must be tags and values, as in host=a,cpu=0");
});

test("without the option there is no series", () => {
  expect(readSeries(undefined)).toBeUndefined();
});
