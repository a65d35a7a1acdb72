// Lenient parsing of booleans, integers and numbers.
import { describe, expect, test } from "bun:test";
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
  test("bounds are inclusive and named", () => {
    expect(parseInteger(1, "n", { min: 1, max: 100 })).toBe(1);
    expect(parseInteger(100, "n", { min: 1, max: 100 })).toBe(100);
    expect(errorOf(() => parseInteger(0, "n", { min: 1 })).message).toBe("n: must be at least 1");
    expect(errorOf(() => parseInteger(101, "n", { max: 100 })).message).toBe("n: must be at most 100");
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
