// Forecasts: the request in an address, and the columns of history, earlier forecast and forecast.
import { expect, test } from "bun:test";
import {
  forecastQuery,
  joinForecast,
  type Predicted,
  readForecastRequest,
} from "../../../../src/ui/lib/forecast/forecast.ts";

test.each([
  [{}, { horizon: "3h", level: 95, withPast: false }],
  [
    { to: "7d", level: "80", past: "1" },
    { horizon: "7d", level: 80, withPast: true },
  ],
  [
    { to: "soon", level: "200" },
    { horizon: "3h", level: 95, withPast: false },
  ],
  [{ to: "0s" }, { horizon: "3h", level: 95, withPast: false }],
  [{ constraint: "a:b:low:-2.5" }, { constraint: { feature: "a:b", type: "low", threshold: -2.5 } }],
  [{ constraint: "a:high:" }, { constraint: undefined }],
  [{ constraint: "a:up:3" }, { constraint: undefined }],
])("%p is read", (params, wanted) => {
  const { constraint, ...rest } = readForecastRequest(params as Record<string, string>, "3h");
  expect({ ...rest, constraint }).toMatchObject(wanted);
});

test("the query names the horizon, both bands and the constraint", () => {
  const request = readForecastRequest({ to: "7d", level: "90", constraint: "load:high:30" }, "1d");
  expect(Object.fromEntries(new URLSearchParams(forecastQuery(request)))).toEqual({
    to: "now+7d",
    p_val: "0.9",
    level: "50",
    constraint: "load:high:30",
  });
});

const next: Predicted = {
  timestamps: [40, 50],
  observed: { v: [null, null] },
  predicted: { v: [4, 5], lower_v: [3, 4], upper_v: [5, 6] },
  levels: { "50": { lower_v: [3.5, 4.5], upper_v: [4.5, 5.5] } },
};

test("history ends where the forecast starts; columns have gaps where nothing is known", () => {
  const history = { times: [20, 30, 40], features: { v: [2, 3, 9] } };
  const { times, start, features } = joinForecast(history, undefined, next);
  expect([times, start]).toEqual([[20, 30, 40, 50], 40]);
  expect(features.v).toEqual({
    observed: [2, 3, null, null],
    expected: [null, null, 4, 5],
    lower: [null, null, 3, 4],
    upper: [null, null, 5, 6],
    innerLower: [null, null, 3.5, 4.5],
    innerUpper: [null, null, 4.5, 5.5],
    past: [null, null, null, null],
  });
});

test("an earlier forecast replaces the end of the history, with what came", () => {
  const history = { times: [10, 20, 30], features: { v: [1, 2, 3] } };
  const past: Predicted = {
    timestamps: [25, 35, 45],
    observed: { v: [2.5, 3.5, 4.5] },
    predicted: { v: [7, 8, 9] },
  };
  const { times, features } = joinForecast(history, past, next);
  expect(times).toEqual([10, 20, 25, 35, 40, 50]);
  expect(features.v!.observed).toEqual([1, 2, 2.5, 3.5, null, null]);
  expect(features.v!.past).toEqual([null, null, 7, 8, null, null]);
});
