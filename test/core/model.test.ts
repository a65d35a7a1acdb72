// Settings of a model: the schema, the legacy forms, and the rules a schema cannot say.
import { describe, expect, test } from "bun:test";
import {
  bucketOf,
  checkModelRules,
  flattenFeatures,
  ModelSettings,
  type ModelSettings as Settings,
  thresholdsOf,
} from "../../src/core/model.ts";
import { check } from "../../src/core/schema.ts";
import { errorOf } from "./expect.ts";

const feature = { name: "count_all", metric: "count", field: "all" };
const base: Settings = { name: "m", type: "donut", features: [feature], bucket_interval: "5m" };

function refuse(rest: object) {
  return errorOf(() => checkModelRules(check(ModelSettings, { ...base, ...rest })));
}

describe("settings", () => {
  test.each([
    {},
    { span: "auto" },
    { span: null },
    { span: 20, min_span: 10, max_span: 40 },
    { interval: 60, offset: 30, bucket_interval: 60 },
    { max_threshold: 90, min_threshold: 50 },
    { max_threshold: 0, min_threshold: 0 },
    { threshold: 80 },
    { grace_period: "1h", seasonality: { daytime: true }, timezone: "Europe/Paris" },
    {
      features: [
        { ...feature, default: "previous", anomaly_type: "low", match_all: [{ tag: "a", value: 1 }] },
      ],
    },
    { features: [{ ...feature, default: 0, match_all: null, measurement: null, transform: "diff" }] },
    { default_datasource: "b", default_datasink: null, run: { any: "thing" }, routing: null },
  ])("%j is fine", (rest) => {
    checkModelRules(check(ModelSettings, { ...base, ...rest }));
  });

  test.each([
    [{ name: "a b" }, "name"],
    [{ type: "other" }, "type"],
    [{ features: [] }, "features"],
    [{ features: [{ ...feature, metric: "" }] }, "features.0.metric"],
    [{ features: [{ ...feature, anomaly_type: "up" }] }, "features.0.anomaly_type"],
    [{ features: [{ ...feature, default: "zero" }] }, "features.0.default"],
    [{ features: [{ ...feature, matchall: [] }] }, "features.0.matchall"],
    [{ features: [feature, { ...feature }] }, "features.1.name"],
    [{ bucket_interval: "0s" }, "bucket_interval"],
    [{ bucket_interval: "often" }, "bucket_interval"],
    [{ interval: 0 }, "interval"],
    [{ span: 0 }, "span"],
    [{ span: 1.5 }, "span"],
    [{ span: 50, max_span: 40 }, "span"],
    [{ span: 5, min_span: 10 }, "span"],
    [{ min_span: 20, max_span: 10 }, "min_span"],
    [{ max_threshold: 101 }, "max_threshold"],
    [{ max_threshold: 50, min_threshold: 60 }, "min_threshold"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ max_treshold: 5 }, "max_treshold"],
    [{ max_evals: 0 }, "max_evals"],
  ])("%j is refused at %s", (rest, path) => {
    expect(refuse(rest)).toMatchObject({ code: "invalid", details: { path } });
  });

  test("bucket_interval is required", () => {
    expect(errorOf(() => check(ModelSettings, { ...base, bucket_interval: undefined })).details.path).toBe(
      "bucket_interval",
    );
  });
});

test.each([
  [{}, undefined],
  [{ max_threshold: 0, min_threshold: 0 }, undefined],
  [
    { max_threshold: 90, min_threshold: 50 },
    { min: 50, max: 90 },
  ],
  [{ max_threshold: 90 }, { min: 90, max: 90 }],
  [{ min_threshold: 50 }, { min: 50, max: 100 }],
  [{ threshold: 80 }, { min: 80, max: 80 }],
  [
    { threshold: 80, max_threshold: 60 },
    { min: 60, max: 60 },
  ],
  [
    { max_threshold: 90, min_threshold: 0 },
    { min: 0, max: 90 },
  ],
])("thresholds of %j are %j", (rest, expected) => {
  expect(thresholdsOf({ ...base, ...rest })).toEqual(expected);
});

test.each([
  [[feature], [feature]],
  [{ io: [feature] }, [{ io: "io", ...feature }]],
  [
    { i: feature, o: [feature] },
    [
      { io: "i", ...feature },
      { io: "o", ...feature },
    ],
  ],
  [
    { io: [feature], extra: 1 },
    { io: [feature], extra: 1 },
  ],
  ["text", "text"],
  [null, null],
])("flattening %j", (features, expected) => {
  expect(flattenFeatures(features)).toEqual(expected);
});

test("the bucket of a model, by its own or its legacy key", () => {
  expect(bucketOf({ ...base, default_bucket: "a", default_datasource: "b" })).toBe("a");
  expect(bucketOf({ ...base, default_bucket: null, default_datasource: "b" })).toBe("b");
  expect(bucketOf(base)).toBeUndefined();
});
