// Selectors of global hooks: globs of model names and of tag values.
import { expect, test } from "bun:test";
import { matchesGlob, selectsModel } from "../../src/core/hook-selector.ts";

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
  expect(matchesGlob(glob, text)).toBe(expected);
});

test("a long glob against a long text takes no time", () => {
  expect(matchesGlob("*a".repeat(128), "a".repeat(100_000).concat("b"))).toBe(false);
});

const features = [
  { match_all: [{ tag: "host", value: "web-1" }] },
  { match_all: [{ tag: "core", value: 3 }] },
  { match_all: null },
];
test.each([
  [{}, true],
  [{ models: ["db-*", "cpu*"] }, true],
  [{ models: ["db-*"] }, false],
  [{ tags: { host: "web-*" } }, true],
  [{ tags: { host: "web-*", core: "3" } }, true],
  [{ tags: { host: "db-*" } }, false],
  [{ tags: { rack: "*" } }, false],
  [{ models: ["db"], tags: { host: "web-1" } }, false],
])("%j: %p", (selector, expected) => {
  expect(selectsModel(selector, { name: "cpu-web-1", features })).toBe(expected);
});
