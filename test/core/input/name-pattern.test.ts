// Patterns of names: substrings and globs, and what they become in other languages.
import { describe, expect, test } from "bun:test";
import { parsePattern } from "../../../src/core/input/name-pattern.ts";

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
