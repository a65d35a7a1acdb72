// Conditions of selectors that no model meets.
import { expect, test } from "bun:test";
import { adviseOnSelector } from "../../../src/core/anomaly/selects-model.ts";
import { aModel } from "../../support/builders.ts";

const match_all = [{ tag: "host", value: "web-1" }];
const models = [
  aModel({ name: "cpu", features: [{ name: "v", metric: "avg", field: "v", match_all }] }),
  aModel({ name: "disks", group_by: ["device"] }),
];

test.each<[Parameters<typeof adviseOnSelector>[0], string[]]>([
  [{ models: ["cup", "disks"] }, ["selector.models: no model is named cup; did you mean cpu?"]],
  [{ tags: { hots: "web-1" } }, ["selector.tags.hots: no model has the tag hots; did you mean host?"]],
  [{ tags: { host: "wbe-1" } }, ["selector.tags.host: no model has the value wbe-1; did you mean web-1?"]],
  [{ models: ["disks"], tags: { host: "web-1" } }, ["selector.tags.host: no model has the tag host"]],
  [{ models: ["cpu", "disks"], tags: { host: "web-*" } }, []],
  [{ models: ["disks"], tags: { device: "any" } }, []],
  [{}, []],
])("%j: %j", (selector, advice) => {
  expect(adviseOnSelector(selector, models)).toEqual(advice);
  expect(adviseOnSelector(selector, [])).toEqual([]);
});
