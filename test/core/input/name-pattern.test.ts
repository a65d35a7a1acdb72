// Name patterns: substrings and globs, as regular expressions and LIKE operands; time of glob matching.
import { describe, expect, test } from "bun:test";
import { matchesGlob, parsePattern } from "../../../src/core/input/name-pattern.ts";

describe("a pattern", () => {
  test.each([
    ["mem", "node_memory_MemFree", true],
    ["MEMORY", "node_memory_MemFree", true],
    ["memory.", "node_memory_MemFree", false],
    ["node_*_bytes", "node_memory_bytes", true],
    ["node_*_bytes", "node_memory_bytes_total", false],
    ["web-?", "web-1", true],
    ["web-?", "web-10", false],
    ["a+(b", "xa+(b", true],
    ["über", "ÜBERLAUF", true],
    ["a*b", "a\nb", true],
    ["**a?**", "bab", true],
    ["a*bc*d", "abbcbcd", true],
    ["a*bc*d", "abbcbc", false],
    ["*", "", true],
    ["web-?", "web-", false],
  ])("%j on %j: %p", (pattern, name, expected) => {
    const { matches, regex } = parsePattern(pattern);
    expect(matches(name)).toBe(expected);
    expect(new RegExp(`^(?:${regex})$`, "isu").test(name)).toBe(expected);
  });

  test("many stars do not make a long name slow", () => {
    const { matches } = parsePattern("*a".repeat(127));
    expect(matches(`${"a".repeat(5000)}b`)).toBe(false);
    expect(matches("a".repeat(5000))).toBe(true);
  });

  test("becomes the operand of LIKE, what means something there escaped", () => {
    expect(parsePattern("50%_a\\b").like).toBe("%50\\%\\_a\\\\b%");
    expect(parsePattern("a?c*").like).toBe("a_c%");
  });

  test.each([[""], ["x".repeat(257)], ["a\0b"]])("%j is none", (text) => {
    expect(() => parsePattern(text)).toThrow("search");
  });
});

test.each([
  ["cpu-*", "cpu-1", true],
  ["cpu-*", "cpu-", true],
  ["cpu-*", "cpu", false],
  ["*", "", true],
  ["*-eu-*", "cpu-eu-1", true],
  ["a*a", "a", false],
  ["a*b*a", "aba", true],
  ["a*b*c", "acb", false],
  ["ab*ba", "aba", false],
  ["cpu", "cpu", true],
  ["cpu", "cpu1", false],
  [".*", "x", false],
])("%j matches %j: %p", (glob, text, expected) => {
  expect(matchesGlob([...glob], [...text])).toBe(expected);
});

test("a glob of many stars matches in bounded time", () => {
  expect(matchesGlob([..."*a".repeat(128)], [..."a".repeat(100_000).concat("b")])).toBe(false);
});

test("the wildcard for one letter is optional", () => {
  const [glob, text] = [[..."web-?"], [..."web-1"]];
  expect([matchesGlob(glob, text), matchesGlob(glob, text, "?")]).toEqual([false, true]);
  expect(matchesGlob([..."web-?"], [..."web-"], "?")).toBe(false);
  expect(matchesGlob([..."a"], [..."ab"])).toBe(false);
});
