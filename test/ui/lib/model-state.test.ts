// Source of a model in one line, and the numbers of models by state.
import { expect, test } from "bun:test";
import type { ModelView } from "../../../src/api/model.ts";
import { parseCounts, sourceOf } from "../../../src/ui/lib/model-state.ts";

const settings = {
  name: "m",
  default_bucket: "b",
  bucket_interval: "5m",
  features: [{ name: "v", metric: "avg", field: "load" }],
};
const aView = (own: object) => ({ settings, state: { trained: true }, ...own }) as unknown as ModelView;

test("counts by state are read from their header", () => {
  expect([...parseCounts("failing=2, live=40")]).toEqual([
    ["failing", 2],
    ["live", 40],
  ]);
  for (const header of [null, ""]) expect(parseCounts(header).size).toBe(0);
});

test("the source names bucket, first feature, interval, and the tags of a fleet", () => {
  expect(sourceOf(aView({}))).toBe("b · avg(load) · 5 min");
  expect(sourceOf(aView({ settings: { ...settings, bucket_interval: 300 } }))).toBe("b · avg(load) · 5 min");
  const fleet = { ...settings, group_by: ["host", "cpu"] };
  expect(sourceOf(aView({ settings: fleet }))).toBe("b · avg(load) · 5 min · host × cpu");
  const burn = [{ name: "burn", budget: {} }];
  expect(sourceOf(aView({ settings: { ...settings, features: burn } }))).toBe("b · burn · 5 min");
  const features = [
    { name: "rate", query: "up" },
    { name: "other", query: "down" },
  ];
  expect(sourceOf(aView({ settings: { ...settings, features } }))).toBe("b · rate +1 · 5 min");
});
