// Model setting `bucket_interval`: a duration, or auto, and the effective interval.
import { describe, expect, test } from "bun:test";
import { check } from "../../../src/core/input/schema.ts";
import {
  bucketIntervalOf,
  checkBucketInterval,
  isAutoInterval,
} from "../../../src/core/model/bucket-interval.ts";
import type { Feature } from "../../../src/core/model/feature.ts";
import { ModelSettings } from "../../../src/core/model/model.ts";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { aModel } from "../../support/builders.ts";

const plain: Feature = { name: "load", metric: "avg", field: "value" };
const make = (bucket_interval: unknown, rest = {}) => ({
  ...aModel({ features: [plain], ...rest }),
  bucket_interval,
});

test.each(["5m", 60, "auto"])("%p is an interval", (bucket_interval) => {
  const settings = check(ModelSettings, make(bucket_interval));
  expect(() => checkModelRules(settings)).not.toThrow();
  expect(isAutoInterval(settings)).toBe(bucket_interval === "auto");
});

test.each(["automatic", "AUTO", "", -1, null, true])("%p is none", (bucket_interval) => {
  expect(() => check(ModelSettings, make(bucket_interval))).toThrow(
    "must be a duration longer than 0: numbers and units (ms s m h d w M y), as in 30s, 5m, 1h30m or 1d; or auto",
  );
});

test("it is required, as ever", () => {
  const { bucket_interval: _, ...rest } = make("auto");
  expect(() => check(ModelSettings, rest)).toThrow(/bucket_interval:? is required/);
});

describe("effective interval", () => {
  test("is what the settings say", () => {
    expect(bucketIntervalOf({ name: "m", bucket_interval: "5m" })).toBe(300_000);
    expect(bucketIntervalOf({ name: "m", bucket_interval: 90 })).toBe(90_000);
  });

  test("is nothing before the first training", () => {
    expect(() => bucketIntervalOf({ name: "m", bucket_interval: "auto" })).toThrow(
      "model m is not trained, and its bucket_interval is auto and is chosen at training: train it first, or set a duration such as 5m",
    );
  });
});

test("queries alone have no points to count", () => {
  const asked = { ...plain, query: "up" };
  const settings = { name: "m", bucket_interval: "auto" };
  expect(() => checkBucketInterval({ ...settings, features: [asked] })).toThrow(
    "must be a duration where all features are queries",
  );
  expect(checkBucketInterval({ ...settings, features: [asked, plain] })).toBe(0);
});

test("auto goes with a retraining", () => {
  const retrain = { every: { unit: "day", at: "03:00" }, range: "30d" };
  const settings = check(ModelSettings, make("auto", { retrain }));
  expect(() => checkModelRules(settings)).not.toThrow();
});
