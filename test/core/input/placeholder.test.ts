// Placeholders of hook texts: validation at configuration, filling at delivery.
import { expect, test } from "bun:test";
import { checkPlaceholders, fillPlaceholders, MAX_FILLED } from "../../../src/core/input/placeholder.ts";

const known = ["model", "score", "date", "reason"];

test.each([
  ["no placeholder at all"],
  ["{model} at {score}"],
  ["literal {{braces}} and {{{model}}}"],
  [""],
])("accepts %p", (text) => {
  expect(() => checkPlaceholders(text, known, "subject")).not.toThrow();
});

test.each([
  ["{modle}", "subject: {modle} is no placeholder; did you mean {model}?"],
  ["{zzzzzzzzzz}", "known are {model}, {score}, {date}, {reason}"],
  ["{}", "{} is no placeholder"],
  ["a { b", "stray {; write {{"],
  ["a } b", "stray }; write }}"],
  ["{model.__class__}", "is no placeholder"],
])("refuses %p", (text, message) => {
  expect(() => checkPlaceholders(text, known, "subject")).toThrow(message);
});

test.each([
  ["{model}: {score}", "m: 76.0"],
  ["{{model}}", "{model}"],
  ["{{{model}}}", "{m}"],
  ["[{date}]", "[]"],
  ["{reason}", "{score} $& {model}"],
])("fills %p as %p", (text, expected) => {
  expect(fillPlaceholders(text, { model: "m", score: "76.0", reason: "{score} $& {model}" })).toBe(expected);
});

test("a text of many placeholders is cut, at the same place wherever it is exceeded", () => {
  const cut = `${"x".repeat(MAX_FILLED)}...`;
  expect(fillPlaceholders("{reason}".repeat(8000), { reason: "x".repeat(60_000) })).toBe(cut);
  expect(fillPlaceholders("{reason}".repeat(2), { reason: "x".repeat(MAX_FILLED) })).toBe(cut);
  expect(fillPlaceholders("{reason}", { reason: "x".repeat(MAX_FILLED) })).toHaveLength(MAX_FILLED);
});
