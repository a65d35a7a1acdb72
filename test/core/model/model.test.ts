// Model settings: thresholds and bucket, under current and legacy keys.
import { expect, test } from "bun:test";
import { bucketOf, type ModelSettings, thresholdsOf } from "../../../src/core/model/model.ts";

const feature = { name: "count_all", metric: "count", field: "all" };
const base: ModelSettings = { name: "m", type: "donut", features: [feature], bucket_interval: "5m" };

test.each([
  [{}, undefined],
  [{ max_threshold: 0, min_threshold: 0 }, undefined],
  [
    { max_threshold: 90, min_threshold: 50 },
    { min: 50, max: 90 },
  ],
  [{ max_threshold: 90 }, { max: 90 }],
  [{ min_threshold: 50 }, { min: 50 }],
  [{ max_threshold: 0, min_threshold: 50 }, { min: 50 }],
  [{ threshold: 80 }, { min: 80, max: 80 }],
  [
    { threshold: 80, max_threshold: 60 },
    { min: 60, max: 60 },
  ],
  [{ max_threshold: 90, min_threshold: 0 }, { max: 90 }],
])("thresholds of %j are %j", (rest, expected) => {
  expect(thresholdsOf({ ...base, ...rest })).toEqual(expected);
});

test("the bucket of a model, by its own or its legacy key", () => {
  expect(bucketOf({ ...base, default_bucket: "a", default_datasource: "b" })).toBe("a");
  expect(bucketOf({ ...base, default_bucket: null, default_datasource: "b" })).toBe("b");
  expect(bucketOf(base)).toBeUndefined();
});
