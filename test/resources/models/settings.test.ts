// Effective settings of a trained model: shape of the version, everything else of the model.
import { expect, test } from "bun:test";
import { effectiveSettings } from "../../../src/core/model/effective-settings.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { bucketOfFeature } from "../../../src/resources/models/settings.ts";
import { aModel } from "../../support/builders.ts";

const feature = { name: "f", metric: "avg", field: "x" };
const trained = aModel({
  features: [{ ...feature, anomaly_type: "high" }],
  seasonality: { daytime: true },
  default_bucket: "then",
});

test("effective settings: shape of the version, everything else of the model", () => {
  const current: ModelSettings = {
    ...trained,
    features: [
      { ...feature, metric: "max" },
      { ...feature, name: "g" },
    ],
    bucket_interval: "1h",
    span: 9,
    default_bucket: "now",
    max_threshold: 50,
  };
  const { seasonality: _, ...unseasonal } = current;
  expect(effectiveSettings(unseasonal, trained)).toEqual({
    ...trained,
    features: [feature],
    default_bucket: "now",
    max_threshold: 50,
  });
});

test("guards and limits apply without a training", () => {
  const guards = { min: 0, max: 100, min_deviation: { absolute: 5 }, only_if: { above: 80 } };
  const current = { ...trained, features: [{ ...feature, metric: "max", ...guards }] };
  expect(effectiveSettings(current, trained).features).toEqual([{ ...feature, ...guards }]);
  expect(effectiveSettings(trained, current).features).toEqual([
    { ...feature, metric: "max", anomaly_type: "high" },
  ]);
});

test("a removed feature keeps the direction it was trained with", () => {
  const current = { ...trained, features: [{ ...feature, name: "other" }] };
  expect(effectiveSettings(current, trained).features).toEqual(trained.features);
});

test("the bucket of a feature: its own, or the model's", () => {
  expect(bucketOfFeature({ ...feature, bucket: "own" }, "shared")).toBe("own");
  expect(bucketOfFeature({ ...feature, bucket: null }, "shared")).toBe("shared");
  expect(bucketOfFeature(feature, undefined)).toBeUndefined();
});
