// Lenient parsing of booleans, integers and numbers.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { parseBySchema } from "../../../src/core/input/schema-number.ts";
import { parseBoolean, parseInteger, parseNumber } from "../../../src/core/input/value.ts";
import { errorOf } from "../expect.ts";

describe("parseBoolean", () => {
  test.each([true, 1, "true", "True", "TRUE", "1", "yes", " YES "])("%p is true", (value) => {
    expect(parseBoolean(value, "bg")).toBe(true);
  });
  test.each([false, 0, "false", "False", "0", "no", "No", "", " "])("%p is false", (value) => {
    expect(parseBoolean(value, "bg")).toBe(false);
  });
  test.each(
    [2, "on", "t", "constructor", "__proto__", "toString", null, undefined, {}, []].map((value) => [value]),
  )("%p is refused", (value) => {
    expect(errorOf(() => parseBoolean(value, "bg"))).toMatchObject({
      code: "invalid",
      details: { path: "bg" },
    });
  });
});

describe("parseInteger", () => {
  test.each([
    [5, 5],
    ["5", 5],
    [" 5 ", 5],
    ["-3", -3],
    ["5.0", 5],
    ["1e3", 1000],
  ])("%p is %p", (value, expected) => {
    expect(parseInteger(value, "n")).toBe(expected);
  });
  test.each([
    1.5,
    "1.5",
    "",
    "five",
    "0x10",
    "1_000",
    Number.NaN,
    Infinity,
    2 ** 53,
    null,
    true,
    {},
  ])("%p is refused", (value) => expect(errorOf(() => parseInteger(value, "n")).code).toBe("invalid"));
});

describe("parseBySchema", () => {
  const Count = Type.Integer({ minimum: 1, maximum: 100 });
  const Share = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 });
  test.each([
    [Count, "1", 1],
    [Count, 100, 100],
    [Share, "0.5", 0.5],
    [Type.Optional(Share), ".25", 0.25],
  ])("%j takes %p as %p", (schema, value, expected) => {
    expect(parseBySchema(schema, value, "n")).toBe(expected);
  });
  test.each([
    [Count, 0, "n: must be at least 1"],
    [Count, "101", "n: must be at most 100"],
    [Count, "1.5", "n: must be a whole number"],
    [Share, "0", "n: must be above 0"],
    [Share, 1, "n: must be below 1"],
    [Share, "x", "n: must be a finite number"],
    [Type.Number({ maximum: 1, rule: "must be small" }), 2, "n: must be small"],
  ])("%j refuses %p", (schema, value, message) => {
    expect(errorOf(() => parseBySchema(schema, value, "n"))).toMatchObject({
      code: "invalid",
      message,
      details: { path: "n" },
    });
  });
});

describe("parseNumber", () => {
  test.each([
    [0.68, 0.68],
    ["0.68", 0.68],
    [".5", 0.5],
    ["1.", 1],
    ["-2e-3", -0.002],
  ])("%p is %p", (value, expected) => {
    expect(parseNumber(value, "p")).toBe(expected);
  });
  test.each(
    ["", "NaN", "Infinity", "1e999", "1,5", "--1", Number.NaN, null, [], false].map((value) => [value]),
  )("%p is refused", (value) => {
    expect(errorOf(() => parseNumber(value, "p")).code).toBe("invalid");
  });
});
