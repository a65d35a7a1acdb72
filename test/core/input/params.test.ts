// Template parameters: listing, filling, no repeated expansion.
import { expect, test } from "bun:test";
import { fillTemplate, findParams } from "../../../src/core/input/params.ts";

const template = {
  name: "{{host}}_load",
  features: [{ field: "{{ field }}", match_all: [{ tag: "host", value: "{{host}}" }] }],
  max_threshold: "{{limit}}",
  kept: [1, null, true],
};

test("parameters are found at any depth, each once", () => {
  expect(findParams(template)).toEqual(["field", "host", "limit"]);
});

test("a whole text takes the parameter's type, a part of one is written out", () => {
  expect(fillTemplate(template, { host: "a", field: "cpu", limit: 70 })).toEqual({
    name: "a_load",
    features: [{ field: "cpu", match_all: [{ tag: "host", value: "a" }] }],
    max_threshold: 70,
    kept: [1, null, true],
  });
});

test("values are never expanded again", () => {
  expect(fillTemplate({ x: "{{a}}-{{b}}" }, { a: "{{b}}", b: "$&" })).toEqual({ x: "{{b}}-$&" });
});

test.each([
  ["one", { host: "a", field: "b" }, "limit: is missing: the template needs a value for limit"],
  ["several", {}, "field: is missing: the template needs values for field, host, limit"],
])("%s missing parameter(s) are named", (_, params, message) => {
  expect(() => fillTemplate(template, params as Record<string, string>)).toThrow(message);
});

test.each(["{host}", "{{}}", "{{a.b}}", "{{a|upper}}", "{% if x %}"])("%s is no placeholder", (text) => {
  expect(findParams({ text })).toEqual([]);
  expect(fillTemplate({ text }, {})).toEqual({ text });
});

test("a key named __proto__ or constructor is a parameter like any other: missing unless given", () => {
  expect(() => fillTemplate({ x: "{{constructor}}" }, {})).toThrow("constructor: is missing");
});
