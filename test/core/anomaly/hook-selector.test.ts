// Selectors of global hooks: globs of model names and of tag values.
import { expect, test } from "bun:test";
import { selectsModel } from "../../../src/core/anomaly/selects-model.ts";

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

test.each([
  [{ tags: { dc: "fra" } }, true],
  [{ tags: { dc: "fra", host: "web-1" } }, true],
  [{ tags: { dc: "ams" } }, false],
])("%j of an event of a series: %p", (selector, expected) => {
  expect(selectsModel(selector, { name: "cpu", features, series: { dc: "fra" } })).toBe(expected);
});
