// Globs: stars over letters, one wildcard of the caller's choice, and time that stays in bounds.
import { expect, test } from "bun:test";
import { matchesGlob } from "../../../src/core/input/glob.ts";

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

test("a long glob against a long text takes no time", () => {
  expect(matchesGlob([..."*a".repeat(128)], [..."a".repeat(100_000).concat("b")])).toBe(false);
});

test("one letter stands for any only where the caller says so", () => {
  const [glob, text] = [[..."web-?"], [..."web-1"]];
  expect([matchesGlob(glob, text), matchesGlob(glob, text, "?")]).toEqual([false, true]);
  expect(matchesGlob([..."web-?"], [..."web-"], "?")).toBe(false);
  expect(matchesGlob([..."a"], [..."ab"])).toBe(false);
});
