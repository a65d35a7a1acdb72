// Rules of settings that a request sets or changes; those of before stay as they are.
import { expect, test } from "bun:test";
import { checkChanged } from "../../../src/core/model/change-rules.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { aModel } from "../../support/builders.ts";

const model = (rest: object) => aModel({ bucket_interval: "5m", ...rest }) as ModelSettings;
const aFeature = { name: "f", metric: "avg", field: "x" };
const shortSilence = "silence: must not be shorter than bucket_interval";

test.each<[object, string]>([
  [{ interval: "1ms" }, "interval: must be at least 1s; default: bucket_interval"],
  [{ interval: 0.999 }, "interval: must be at least 1s"],
  [{ bucket_interval: "auto", interval: "10ms" }, "interval: must be at least 1s"],
  [{ bucket_interval: "100ms", interval: "10ms" }, "interval: must be at least bucket_interval"],
  [{ silence: "1m" }, `${shortSilence} (5m); or auto`],
  [{ silence: 299 }, shortSilence],
  [{ grace_period: "100y" }, "grace_period: must be at most 365d"],
  [{ offset: "400d" }, "offset: must be at most 365d"],
  [{ interval: "1000d" }, "interval: must be at most 365d"],
  [{ silence: 31_536_001 }, "silence: must be at most 365d"],
  [{ retrain: { every: { unit: "second" }, range: "1d" } }, "retrain.every: must be at least 1m and bucket_"],
  [{ retrain: { every: { unit: "minute" }, range: "1d" } }, "retrain.every: must be at least 1m and bucket_"],
  [{ retrain: { every: { cron: "0,1 * * * *" }, range: "1d" } }, "retrain.every: must be at least 1m"],
  [
    { watch_forecast: [{ feature: "f", above: 3, within: "1h", every: "2h" }] },
    "watch_forecast.0.every: must not be longer than within (1h)",
  ],
  [{ features: [{ ...aFeature, max: 5, limit: 6 }] }, "features.0.limit: must not be above max (5)"],
  [
    {
      features: [
        { ...aFeature, unit: "GB", limit: "size" },
        { ...aFeature, name: "size", unit: "MB" },
      ],
    },
    "features.0.limit: must be of the unit of the feature: size is in MB, not GB",
  ],
])("%j is refused: %s", (settings, message) => {
  expect(() => checkChanged(model(settings))).toThrow(message);
});

test.each([
  {},
  { interval: "1s", silence: "5m" },
  { bucket_interval: "100ms", interval: "100ms", silence: "1s" },
  { bucket_interval: "auto", silence: "1s" },
  { silence: "auto" },
  { silence: null },
  { grace_period: "365d", offset: "auto", interval: 31_536_000 },
  { retrain: { every: { count: 5, unit: "minutes" }, range: "1d" } },
  { bucket_interval: "auto", retrain: { every: { unit: "minute" }, range: "1d" } },
  { watch_forecast: [{ feature: "f", above: 3, within: "30m" }] },
  { features: [{ ...aFeature, unit: "GB", max: 5, limit: 5 }] },
  {
    features: [
      { ...aFeature, unit: "GB", limit: "size" },
      { ...aFeature, name: "size" },
    ],
  },
])("%j is accepted", (settings) => {
  expect(() => checkChanged(model(settings))).not.toThrow();
});

test("what stays as it was is not checked; a longer bucket_interval is a change of silence", () => {
  const old = model({ interval: "1ms", silence: "1m" });
  expect(() => checkChanged({ ...old, max_threshold: 50 }, old)).not.toThrow();
  expect(() => checkChanged({ ...old, interval: "2ms" }, old)).toThrow("interval: must be at least 1s");
  const valid = model({ silence: "6m" });
  expect(() => checkChanged({ ...valid, bucket_interval: "10m" }, valid)).toThrow(`${shortSilence} (10m)`);
});
