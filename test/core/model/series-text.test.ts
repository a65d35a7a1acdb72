// Tags of series as texts, for requests and for people.
import { expect, test } from "bun:test";
import { describeSeries, formatSeries, parseTags } from "../../../src/core/model/series-text.ts";

test("a part of the tags is enough for a filter", () => {
  expect(parseTags("host:a")).toEqual({ host: "a" });
});

test("a backslash stands before what would part the text", () => {
  const tags = { host: "a,b:c", "x:y": "\\" };
  expect(formatSeries(tags)).toBe("host:a\\,b\\:c,x\\:y:\\\\");
  expect(parseTags(formatSeries(tags))).toEqual(tags);
});

test.each([
  ["host:a,host:b", "series: has two values of host"],
  ["host:a\\", "series: must be tags and values, as in host:a,cpu:0, with \\ before a comma"],
])("%s is refused, as a part of it would be lost", (text, message) => {
  expect(() => parseTags(text)).toThrow(message);
});

test("people read tags as they are", () => {
  expect(describeSeries({ host: "a,b", cpu: "" })).toBe("host=a,b, cpu=");
});
