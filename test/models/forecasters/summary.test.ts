// Summary of forecasts for `state`.
import { expect, test } from "bun:test";
import type { ForecastParameters } from "../../../src/models/forecasters/parameters.ts";
import { summariseForecasts } from "../../../src/models/forecasters/summary.ts";
import { HOUR } from "./support.ts";

type Members = ForecastParameters["members"];
const seasonal = (season: "week" | "day" | "none", weight: number) =>
  ({ method: "seasonal", season, follow: 0.5, weight }) as const;
const donut = (weight: number) => ({ method: "donut", weight }) as const;

function feature(name: string, members: Members, mase = 0.5) {
  const band = { leads: [0], scales: [1], quantiles: [0], lowerTail: 0, upperTail: 0, sample: 3 };
  const forecast = { members, band, history: 1, nonNegative: false, center: 0, error: { mae: 9, mase } };
  return { name, forecast };
}

test.each([
  ["one method by its name", [feature("a", [seasonal("week", 0.6), seasonal("day", 0.4)])], "seasonal"],
  [
    "several with their shares",
    [feature("a", [seasonal("week", 0.755), donut(0.245)])],
    "seasonal 0.76, donut 0.24",
  ],
  ["no season: the last values", [feature("a", [seasonal("none", 1)])], "last values"],
  ["features that agree once", [feature("a", [donut(1)]), feature("b", [donut(1)])], "donut"],
  [
    "features that differ by name",
    [feature("a", [donut(1)]), feature("b", [seasonal("day", 1)])],
    "a: donut; b: seasonal",
  ],
] as const)("%s", (_, features, forecaster) => {
  expect(summariseForecasts(features, { intervalMs: HOUR, points: 400 }).forecaster).toBe(forecaster);
});

test("the error is the mean over the features", () => {
  const features = [feature("a", [donut(1)], 0.4), feature("b", [donut(1)], 0.8)];
  const { forecast_error } = summariseForecasts(features, { intervalMs: HOUR, points: 400 });
  expect(forecast_error).toBeCloseTo(0.6, 12);
});

test.each([
  [400, "day, week"],
  [200, "day"],
  [40, "none"],
])("%p hours show the seasons %p", (points, seasons) => {
  const summary = summariseForecasts([feature("a", [donut(1)])], { intervalMs: HOUR, points });
  expect(summary.forecast_seasons).toBe(seasons);
});
