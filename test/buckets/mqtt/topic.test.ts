// Topic patterns: filters, captured levels, refused patterns.
import { expect, test } from "bun:test";
import { parseTopic } from "../../../src/buckets/mqtt/topic.ts";

const filterOf = (pattern: string) => parseTopic(pattern, "t").filter;
const match = (pattern: string, topic: string) => parseTopic(pattern, "t").match(topic);

test.each([
  ["plant/press/speed", "plant/press/speed"],
  ["plant/{line}/{field}", "plant/+/+"],
  ["+/x/#", "+/x/#"],
  ["{measurement}/#", "+/#"],
  ["/a//b", "/a//b"],
])("the filter of %s is %s", (pattern, filter) => {
  expect(filterOf(pattern)).toBe(filter);
});

test("levels in braces become tags, measurement and field", () => {
  expect(match("{measurement}/{line}/{host.name}/{field}", "power/l1/h-9/watts")).toEqual({
    measurement: "power",
    field: "watts",
    tags: { line: "l1", "host.name": "h-9" },
  });
});

test("an empty level is no tag", () => {
  expect(match("a/{b}/c", "a//c")?.tags).toEqual({});
});

test("a tag called __proto__ is a tag like others", () => {
  expect(Object.entries(match("{__proto__}/x", "v/x")!.tags)).toEqual([["__proto__", "v"]]);
});

test.each([
  ["a/+/c", "a/b/c", true],
  ["a/+/c", "a/b/d", false],
  ["a/+", "a/b/c", false],
  ["a/+/c", "a/b", false],
  ["a/#", "a", true],
  ["a/#", "a/b/c", true],
  ["a/#", "b/b/c", false],
  ["#", "anything/else", true],
  ["a/b", "A/b", false],
])("%s and %s match: %p", (pattern, topic, isMatch) => {
  expect(match(pattern, topic) !== undefined).toBe(isMatch);
});

test.each([
  ["a/#/b", "as the last one"],
  ["a+/b", "whole levels"],
  ["a/b#", "as the last one"],
  ["a/{b}c", "whole levels"],
  ["a/{}", "whole levels"],
  ["a/{1x}", "whole levels"],
  ["a\0b", "whole levels"],
  ["{a}/{a}", "must not capture a name twice"],
  ["{time}/x", "must not capture `time`"],
  [Array.from({ length: 33 }, (_, i) => `{t${i}}`).join("/"), "at most 32"],
])("%j is refused", (pattern, rule) => {
  expect(() => parseTopic(pattern, "topics.0.topic")).toThrow(`topics.0.topic`);
  expect(() => parseTopic(pattern, "topics.0.topic")).toThrow(rule);
});
