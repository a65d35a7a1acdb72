// Explanation of a forecast: members with their names and weights, the greatest first; none without facts.
import { expect, test } from "bun:test";
import { explainForecast } from "../../../src/models/forecasters/explain.ts";
import type { ForecastParameters } from "../../../src/models/forecasters/parameters.ts";

const band = { leads: [0], scales: [1], quantiles: [0], lowerTail: 0, upperTail: 0, sample: 3 };
const facts = { origins: 4, errors: [1, 2, null], level: 5, slope: 0.1, shifts: [] };
const parameters: ForecastParameters = {
  members: [
    { method: "donut", weight: 0.1 },
    { method: "theta", season: "week", scale: "log", weight: 0.3, shares: [0.5, 0.2, 0.2] },
    { method: "seasonal", season: "none", follow: 0.5, weight: 0.6 },
  ],
  ...{ band, history: 1, nonNegative: false, center: 0, error: { mae: 9, mase: 0.5 } },
};

test("members have the names of state.forecaster, with season and scale beside", () => {
  const { members } = explainForecast({ ...parameters, facts })!;
  expect(members.map(({ name, forecaster, weight }) => [name, forecaster, weight])).toEqual([
    ["last values", "seasonal", 0.6],
    ["theta", "theta, week, log", 0.3],
    ["donut", "donut", 0.1],
  ]);
  expect(members.map(({ share }) => share)).toMatchObject([
    { near: 0.6 },
    { near: 0.5, far: 0.2 },
    { far: 0.1 },
  ]);
});

test("what was left out of the history is told, and the value that a series rests at", () => {
  expect(explainForecast({ ...parameters, facts })).toMatchObject({ departures: [] });
  const told = explainForecast({ ...parameters, facts: { ...facts, departures: [[100, 20]], rest: 0 } });
  expect(told).toMatchObject({ departures: [{ intervals_ago: 100, intervals: 20 }], rest: 0 });
});

test("a version that kept no facts has none", () => expect(explainForecast(parameters)).toBeUndefined());
