// Rules of watched forecasts: each names its field and the way out.
import { expect, test } from "bun:test";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { type WatchForecast, watchesOf } from "../../../src/core/model/watch-forecast.ts";
import { aModel } from "../../support/builders.ts";

const features = [{ name: "used", metric: "avg", field: "used" }];
const model = (...watch_forecast: WatchForecast[]) =>
  aModel({ features, bucket_interval: "1m", watch_forecast });

test.each([
  [
    [{ feature: "usd", above: 1, within: "1d" }],
    "watch_forecast.0.feature: must be a feature of the model: used",
  ],
  [[{ feature: "used", within: "1d" }], "watch_forecast.0.above: or below is required, and not both"],
  [
    [{ feature: "used", above: 1, below: 0, within: "1d" }],
    "watch_forecast.0.above: or below is required, and not both",
  ],
  [
    [{ feature: "used", above: 1, within: "1s" }],
    "watch_forecast.0.within: must be from one to 50000 intervals",
  ],
  [
    [{ feature: "used", above: 1, within: "1y" }],
    "watch_forecast.0.within: must be from one to 50000 intervals",
  ],
  [[{ feature: "used", above: 1, within: "1d", every: 0 }], "watch_forecast.0.every: must be longer than 0"],
  [
    [
      { feature: "used", above: 1, within: "1d" },
      { feature: "used", above: 1, within: "2d" },
    ],
    "watch_forecast.1: repeats an earlier one: remove it",
  ],
])("refused: %#", (watches, message) => {
  expect(() => checkModelRules(model(...watches))).toThrow(message);
});

test("a watch has its durations in ms, and leaves out features of no version yet", () => {
  const settings = model(
    { feature: "used", above: 95, within: "7d" },
    { feature: "used", below: 5, within: "1d" },
  );
  expect(watchesOf(settings)).toMatchObject([
    { type: "high", threshold: 95, withinMs: 7 * 86_400_000, everyMs: 3_600_000 },
    { type: "low", threshold: 5 },
  ]);
  expect(watchesOf({ ...settings, features: [] })).toEqual([]);
});
